import type { Dispatcher, Pool } from 'undici';

export interface Load {
  readonly url: string;
  /** Text of the JSON body that every request has. */
  readonly body: string;
  readonly connections: number;
  readonly window_ms: number;
  /** A smaller answer is wrong. */
  readonly min_bytes: number;
}

export interface Driven {
  /** Requests answered. */
  readonly requests: number;
  readonly elapsed_ms: number;
  /** Requests that failed, or whose answers had another status than 200 or too few bytes. */
  readonly failures: number;
}

/**
 * Keeps `connections` requests under way, each on a connection of its own, until the window is over;
 * then waits for the last answers, so that every request begun is counted.
 */
export function drive(pool: Pool, load: Load): Promise<Driven> {
  const { pathname: path } = new URL(load.url);
  const headers = ['content-type', 'application/json'];
  const body = Buffer.from(load.body);
  const started_ms = performance.now();
  let requests = 0;
  let failures = 0;
  let underWay = 0;
  return new Promise((resolve) => {
    const end = (isRight: boolean): void => {
      requests += 1;
      underWay -= 1;
      if (!isRight) failures += 1;
      const elapsed_ms = performance.now() - started_ms;
      if (elapsed_ms < load.window_ms) send();
      else if (underWay === 0) resolve({ requests, elapsed_ms, failures });
    };
    const send = (): void => {
      underWay += 1;
      const onAnswer = (status: number, length: number): void =>
        end(status === 200 && length >= load.min_bytes);
      pool.dispatch({ method: 'POST', path, headers, body }, measure(onAnswer));
    };
    for (let index = 0; index < load.connections; index += 1) send();
  });
}

/** Hears of an answer's status and length; status 0 stands for no answer. */
function measure(onAnswer: (status: number, length: number) => void): Dispatcher.DispatchHandler {
  let status = 0;
  let length = 0;
  return {
    onRequestStart: () => undefined,
    onResponseStart(_controller, code) {
      status = code;
    },
    onResponseData(_controller, chunk) {
      length += chunk.length;
    },
    onResponseEnd: () => onAnswer(status, length),
    onResponseError: () => onAnswer(0, 0),
  };
}
