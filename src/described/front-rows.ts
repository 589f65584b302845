import type { ErrorRow } from '../errors/catalog.ts';

/** What a described service is in front of may be anything: its errors speak of no nodes. */
const WORDS: Readonly<Record<string, string>> = {
  upstream_timeout: 'the server did not answer in time',
  no_upstream: 'the server cannot be reached',
  invalid_upstream_response: 'the answer of the server cannot be used',
};

/** The gateway's catalogue in the words of a service that any document may describe. */
export function toFrontRows(
  rows: Readonly<Record<string, ErrorRow>>,
): Readonly<Record<string, ErrorRow>> {
  const reworded = Object.entries(rows).map(([name, row]): [string, ErrorRow] => [
    name,
    { ...row, message: WORDS[row.reason ?? ''] ?? row.message },
  ]);
  return Object.fromEntries(reworded);
}
