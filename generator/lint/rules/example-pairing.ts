import type { Json } from '../../../common/json/value.ts';
import { textAt } from '../../model/member.ts';
import {
  elementAt,
  elementsAt,
  type Element,
  type LintContext,
  type LintMethod,
} from '../context.ts';

interface Pairing {
  readonly method: LintMethod;
  readonly example: Element;
  /** Null if the example has no result. */
  readonly result: Element | null;
}

export function* pairings({ methods, document }: LintContext): Generator<Pairing> {
  for (const method of methods) {
    for (const example of method.examples) {
      const result = elementAt(document, `${example.pointer}/result`);
      yield { method, example, result };
    }
  }
}

/** A parameter of the method and its value in an example; either may be missing. */
interface Match {
  readonly param: Element | null;
  readonly given: Element | null;
}

/**
 * Pairs the parameters of a method with those of an example: by name, and the remaining ones by
 * position, as most documents mean them.
 */
export function matchParams(
  { document }: LintContext,
  { params }: LintMethod,
  example: Element,
): readonly Match[] {
  const given = elementsAt(document, `${example.pointer}/params`);
  const nameOf = (element: Element) => textAt(element.value, 'name');
  const named = new Map(given.map((each) => [nameOf(each), each]));
  const matches = new Map(params.map((param) => [param, named.get(nameOf(param)) ?? null]));
  const taken = new Set(matches.values());
  const strays: Match[] = [];
  for (const [index, each] of given.entries()) {
    if (taken.has(each)) continue;
    const param = params[index];
    if (param !== undefined && matches.get(param) === null) matches.set(param, each);
    else strays.push({ param: null, given: each });
  }
  return [...[...matches].map(([param, given]) => ({ param, given })), ...strays];
}

interface MatchOptions {
  /** Whether to include examples of errors, which may break rules on purpose. */
  readonly withErrors: boolean;
}

/** Yields the matches of every example pairing. */
export function* allMatches(context: LintContext, { withErrors }: MatchOptions) {
  for (const { method, example } of pairings(context)) {
    if (!withErrors && expectedError(example) !== null) continue;
    for (const match of matchParams(context, method, example)) yield { method, example, ...match };
  }
}

/** Returns the literal value of an example and its place; null if it is in another file. */
export function valueOf({ value, pointer }: Element): { value: Json; pointer: string } | null {
  if (!('value' in value)) return null;
  return { value: value['value']!, pointer: `${pointer}/value` };
}

// By position, null stands for an omitted parameter.
export function isOmission(method: LintMethod, param: Element, value: Json): boolean {
  const isLast = method.params.at(-1) === param;
  return value === null && param.value['required'] !== true && !isLast;
}

/** Returns the extension that marks an example as an error, or null. */
export function expectedError({ value }: Element): string | null {
  return Object.keys(value).find((key) => /^x-.*error/.test(key)) ?? null;
}
