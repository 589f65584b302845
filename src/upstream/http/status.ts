export function isOk(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Too many requests, or too much to do: told with the time to wait, if at all (RFC 9110, 10.2.3). */
export function asksForRest(status: number): boolean {
  return status === 429 || status === 503;
}

/** Refusals that are about the operator's account or the load, never about the call. */
const MACHINE_STATUSES = new Set([401, 402, 403, 407, 408, 425, 429]);

/**
 * Whether an answer of this status may hold a node's error: some providers give errors of the
 * caller's making a status of 4xx.
 */
export function holdsAnswer(status: number): boolean {
  return status >= 400 && status < 500 && !MACHINE_STATUSES.has(status);
}
