import { jsonText } from '../../samples/json-text.ts';
import { JsonFault, parseJson, valueOf } from './json/parse.ts';
import type { Params } from './method-data.ts';
import type { Transport } from './send/send.ts';

/** What a link tells: never a key. */
export interface SharedCall {
  readonly params: Params;
  readonly network: string;
  readonly transport: Transport;
}

const MARK = 'try-it';

/** Longer fragments are not read. */
const MAX_CHARS = 256 * 1024;

/** The fragment of a link to a call: "#try-it=&network=evm&…". */
export function fragmentOf({ params, network, transport }: SharedCall): string {
  const parts = new URLSearchParams({ [MARK]: '', network, transport, params: jsonText(params) });
  return `#${parts.toString()}`;
}

/** The call a fragment tells of; null where it tells of none, or of none that can be read. */
export function readFragment(hash: string): SharedCall | null {
  if (hash.length > MAX_CHARS) return null;
  const parts = new URLSearchParams(hash.slice(1));
  const text = parts.get('params');
  if (!parts.has(MARK) || text === null) return null;
  try {
    const params = valueOf(parseJson(text));
    if (typeof params !== 'object' || params === null) return null;
    const transport = parts.get('transport') === 'websocket' ? 'websocket' : 'http';
    return { params, network: parts.get('network') ?? '', transport };
  } catch (error) {
    if (error instanceof JsonFault) return null;
    throw error;
  }
}
