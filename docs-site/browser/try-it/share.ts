import { jsonText } from '../../../common/samples/json-text.ts';
import { JsonSyntaxError, parseJson, valueOf } from './json.ts';
import type { Params } from './method-data.ts';
import type { Transport } from './send/send.ts';

/** A call that a link can restore; contains no key. */
export interface SharedCall {
  readonly params: Params;
  readonly network: string;
  readonly transport: Transport;
}

const MARK = 'try-it';

/** Longer fragments are ignored. */
const MAX_CHARACTERS = 256 * 1024;

/** Returns the fragment of a link to a call: "#try-it=&network=evm&…". */
export function fragmentOf({ params, network, transport }: SharedCall): string {
  const parts = new URLSearchParams({ [MARK]: '', network, transport, params: jsonText(params) });
  return `#${parts.toString()}`;
}

/** Reads the call in a fragment; null if it is missing or invalid. */
export function readFragment(hash: string): SharedCall | null {
  if (hash.length > MAX_CHARACTERS) return null;
  const parts = new URLSearchParams(hash.slice(1));
  const text = parts.get('params');
  if (!parts.has(MARK) || text === null) return null;
  try {
    const params = valueOf(parseJson(text));
    if (typeof params !== 'object' || params === null) return null;
    const transport = parts.get('transport') === 'websocket' ? 'websocket' : 'http';
    return { params, network: parts.get('network') ?? '', transport };
  } catch (error) {
    if (error instanceof JsonSyntaxError) return null;
    throw error;
  }
}
