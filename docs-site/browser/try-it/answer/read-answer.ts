import type { Json } from '../../../samples/sample.ts';
import { JsonFault, parseJson, valueOf, type JsonNode } from '../json/parse.ts';
import type { MethodData } from '../method-data.ts';
import type { Answer } from '../send/outcome.ts';
import { errorOf, explain, type RpcError } from './explain.ts';

/** An answer read: its tree, and which part of JSON-RPC 2.0 it is. */
export interface ReadAnswer {
  /** null: nothing was answered, or nothing that is JSON. */
  readonly node: JsonNode | null;
  readonly error: RpcError | null;
  /** undefined: the answer has none. */
  readonly result: { readonly node: JsonNode; readonly value: Json } | undefined;
  /** Why the text is no JSON, or no answer. */
  readonly fault: string | null;
}

export function readAnswer({ text, status }: Answer): ReadAnswer {
  const nothing = { node: null, error: null, result: undefined, fault: null };
  if (text === '' && (status === null || status === 204)) return nothing;
  try {
    const node = parseJson(text);
    const error = errorOf(valueOf(node));
    const found =
      node.kind === 'object' ? node.members.find(({ name }) => name === 'result') : undefined;
    const result =
      found === undefined ? undefined : { node: found.node, value: valueOf(found.node) };
    const fault = faultOf(node, error !== null || result !== undefined);
    return { node, error, result, fault };
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    return { ...nothing, fault: `It is not JSON: ${error.message}.` };
  }
}

/** What keeps JSON from being an answer to a call, whose id is always 1; an error may have none. */
function faultOf(node: JsonNode, isComplete: boolean): string | null {
  if (node.kind !== 'object' || !isComplete) return 'It has neither a result nor an error.';
  const member = (wanted: string) => node.members.find(({ name }) => name === wanted)?.node;
  const id = member('id');
  const text = id?.kind === 'scalar' ? id.text : null;
  if (text === '1' || (text === 'null' && member('result') === undefined)) return null;
  return text === null ? 'It has no id.' : `It answers another call: its id is ${text}, not 1.`;
}

/** Credits charged: what the service says, or what the document does; null when neither tells. */
export function chargedFor(
  { headers, status }: Answer,
  { error, result }: ReadAnswer,
  { credits, errors }: Pick<MethodData, 'credits' | 'errors'>,
): number | null {
  const said = headers.get('x-credits-cost');
  if (said !== null && /^\d+$/.test(said)) return Number(said);
  if (credits === null || (status !== null && result === undefined && error === null)) return null;
  if (error === null) return result === undefined ? null : credits;
  const charged = explain(error, errors, 0).row?.charged;
  return charged === true ? credits : charged === false ? 0 : null;
}
