import type { ErrorRow } from '../errors/catalog.ts';

/** Messages for servers of any kind, in place of those about nodes. */
const MESSAGES: Readonly<Record<string, string>> = {
  upstream_timeout: 'timeout of the server',
  no_upstream: 'server not reachable',
  invalid_upstream_response: 'invalid response of the server',
};

/** Returns the error catalog with messages that fit any described service. */
export function toFrontRows(
  rows: Readonly<Record<string, ErrorRow>>,
): Readonly<Record<string, ErrorRow>> {
  const adapted = Object.entries(rows).map(([name, row]): [string, ErrorRow] => [
    name,
    { ...row, message: MESSAGES[row.reason ?? ''] ?? row.message },
  ]);
  return Object.fromEntries(adapted);
}
