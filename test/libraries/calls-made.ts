/** The calls that a gateway answered, as its metrics count them. */

/** Calls by method and outcome ("eth_chainId ok"), and requests refused as a whole by their reason. */
export type CallsMade = ReadonlyMap<string, number>;

const CALLS = /^specgate_calls_total\{.*method="([^"]*)",outcome="([^"]*)".*\} (\d+)$/gm;
const REFUSED = /^specgate_requests_rejected_total\{.*reason="([^"]*)".*\} (\d+)$/gm;

export async function readCallsMade(ops: string): Promise<CallsMade> {
  const text = await (await fetch(new URL('/metrics', ops))).text();
  const made = new Map<string, number>();
  const add = (name: string, count: string): void => {
    made.set(name, (made.get(name) ?? 0) + Number(count));
  };
  for (const [, method, outcome, count] of text.matchAll(CALLS))
    add(`${method} ${outcome}`, count!);
  for (const [, reason, count] of text.matchAll(REFUSED)) add(`request ${reason}`, count!);
  return made;
}

/** Returns what was counted between two readings, without what was not. */
export function madeSince(before: CallsMade, after: CallsMade): readonly string[] {
  return [...after.keys()].filter((name) => after.get(name) !== before.get(name));
}
