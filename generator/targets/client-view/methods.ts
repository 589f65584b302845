import { plainAddress } from '../../../common/escape/address.ts';
import { escapeJson } from '../../../common/escape/json.ts';
import { onOneLine } from '../../../common/escape/text.ts';
import { printExact } from '../../../common/json/exact.ts';
import { splitPointer } from '../../../common/json/pointer.ts';
import { isObject, isSchema, type Json, type Schema } from '../../../common/json/value.ts';
import { numberAt, textAt } from '../../model/member.ts';
import type {
  Described,
  ExampleModel,
  MethodModel,
  Model,
  ResultModel,
} from '../../model/model.ts';
import { addressOf } from '../../model/server-address.ts';
import { listAt } from '../../schema/document-schemas.ts';

/** Returns the price of a call (`x-credits`), or null. */
export function creditsOf({ extensions }: MethodModel): number | null {
  return numberAt(extensions, 'x-credits');
}

/**
 * Returns the summary or description of a parameter or result, or the description of its own schema,
 * on one line; "" if the document has none.
 */
export function aboutOf({ summary, description, schema }: ResultModel): string {
  const own = isObject(schema) ? textAt(schema, 'description') : '';
  return onOneLine(summary || description || own);
}

/** Returns what the document declares; it decides what a package contains and documents. */
export function declaredBy({ methods, errors }: Model) {
  const families = new Set(methods.map(({ extensions }) => extensions['x-network-family']));
  return {
    // Methods with this prefix belong to Ethereum's own interface.
    isEvm: families.has('evm') || methods.some(({ name }) => name.startsWith('eth_')),
    isSvm: families.has('svm'),
    hasCredits: methods.some((method) => creditsOf(method) !== null),
    hasReasons: errors.some(({ reason }) => reason !== null),
    hasCharges: errors.some(({ charged }) => charged !== null),
  };
}

/** Returns the first paragraph of a method's documentation, and the others. */
export function textsOf({ summary, description }: Described): readonly [string, string] {
  return summary === '' ? [description, ''] : [summary, description === summary ? '' : description];
}

/** Returns "Costs 2 credits.", or "" when the price is unknown. */
export function costText(method: MethodModel): string {
  const credits = creditsOf(method);
  return credits === null ? '' : `Costs ${credits} ${credits === 1 ? 'credit' : 'credits'}.`;
}

/** Returns the example that shows a method best: one with a result other than null, if possible. */
export function chooseExample(method: MethodModel): ExampleModel | null {
  const successful = method.examples.filter((example) => !('x-error' in example.extensions));
  const full = successful.find(({ result }) => (result?.value ?? null) !== null);
  return full ?? successful[0] ?? method.examples[0] ?? null;
}

/** Returns the values of a method's parameters in an example, in order; undefined if omitted. */
export function argumentsOf(
  method: MethodModel,
  example: ExampleModel,
): readonly (Json | undefined)[] {
  return method.params.map(({ name }, index) => {
    const named = example.params.find((each) => each.name === name);
    return (named ?? example.params[index])?.value;
  });
}

/** Returns the start of a result's JSON, short enough for one line of a comment. */
export function excerptOf(value: Json): string {
  const text = escapeJson(printExact(value));
  return text.length > 90 ? `${text.slice(0, 89)}…` : text;
}

/**
 * Returns the URL to call an example at, or null: the method's servers before the document's, the
 * server of the example's network (`x-network`) before others, variables at their defaults.
 */
export function serverUrl(
  model: Model,
  scheme: 'http' | 'ws',
  call?: { readonly method: MethodModel; readonly example: ExampleModel },
): string | null {
  const network = call?.example.extensions['x-network'];
  const own = call?.method.servers ?? [];
  const candidates = (own.length > 0 ? own : model.servers)
    .map((server) => ({
      name: textAt(server, 'name'),
      url: plainAddress(addressOf(server, model.location) ?? '', [scheme, `${scheme}s`]),
    }))
    .filter(({ url }) => url !== null);
  const ofNetwork = candidates.find(
    ({ name }) => typeof network === 'string' && name.startsWith(network),
  );
  return (ofNetwork ?? candidates[0])?.url ?? null;
}

/** A narrower schema of a method's result for certain params (`x-result-cases`). */
export interface ResultCase {
  /** Values by pointer into the positional params; null matches null and omitted params. */
  readonly when: ReadonlyMap<string, readonly Json[]>;
  readonly schema: Schema;
}

/** Reads the result cases of a method. Methods with params by name have none. */
export function readResultCases({
  extensions,
  paramStructure,
}: MethodModel): readonly ResultCase[] {
  if (paramStructure === 'by-name') return [];
  return listAt(extensions, 'x-result-cases').flatMap(({ when, schema }) => {
    if (!isObject(when) || !isSchema(schema)) return [];
    const values = Object.entries(when).map(([pointer, value]): [string, readonly Json[]] => [
      pointer,
      Array.isArray(value) ? value : [value],
    ]);
    return [{ when: new Map(values), schema }];
  });
}

/** Returns the positions of the params that the cases depend on. */
export function decidingParams(cases: readonly ResultCase[]): ReadonlySet<number> {
  const pointers = cases.flatMap(({ when }) => [...when.keys()]);
  return new Set(pointers.map((pointer) => Number(splitPointer(pointer)[0])));
}
