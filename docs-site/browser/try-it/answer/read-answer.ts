import type { Json } from '../../../../common/samples/sample.ts';
import { JsonSyntaxError, parseJson, valueOf, type JsonNode } from '../json.ts';
import type { MethodData } from '../method-data.ts';
import type { Answer } from '../send/outcome.ts';
import { errorOf, explain, type RpcError } from './explain.ts';

/** A parsed JSON-RPC response. */
export interface ReadAnswer {
  /** Null without valid JSON. */
  readonly node: JsonNode | null;
  readonly error: RpcError | null;
  readonly result: { readonly node: JsonNode; readonly value: Json } | undefined;
  /** Why the text is not a response to the call. */
  readonly problem: string | null;
}

export function readAnswer({ text, status }: Answer): ReadAnswer {
  const nothing = { node: null, error: null, result: undefined, problem: null };
  if (text === '' && (status === null || status === 204)) return nothing;
  try {
    const node = parseJson(text);
    const error = errorOf(valueOf(node));
    const found =
      node.kind === 'object' ? node.members.find(({ name }) => name === 'result') : undefined;
    const result =
      found === undefined ? undefined : { node: found.node, value: valueOf(found.node) };
    const problem = problemOf(node, error !== null || result !== undefined);
    return { node, error, result, problem };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { ...nothing, problem: `Invalid JSON: ${error.message}.` };
  }
}

/** The id of a call is always 1; that of an error may be null. */
function problemOf(node: JsonNode, isComplete: boolean): string | null {
  if (node.kind !== 'object' || !isComplete) return 'It has neither a result nor an error.';
  const member = (wanted: string) => node.members.find(({ name }) => name === wanted)?.node;
  const id = member('id');
  const text = id?.kind === 'scalar' ? id.text : null;
  if (text === '1' || (text === 'null' && member('result') === undefined)) return null;
  return text === null ? 'It has no id.' : `Its id is ${text}, expected 1.`;
}

/** Returns the credits charged, from the response or else the document; null when unknown. */
export function chargedFor(
  { headers, status }: Answer,
  { error, result }: ReadAnswer,
  { credits, errors }: Pick<MethodData, 'credits' | 'errors'>,
): number | null {
  const header = headers.get('x-credits-cost');
  if (header !== null && /^\d+$/.test(header)) return Number(header);
  if (credits === null || (status !== null && result === undefined && error === null)) return null;
  if (error === null) return result === undefined ? null : credits;
  const charged = explain(error, errors, 0).row?.charged;
  return charged === true ? credits : charged === false ? 0 : null;
}
