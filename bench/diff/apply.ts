import type { PlainDocument, PlainMethod, PlainParam } from './corpus.ts';
import { deref, type Draw, type Mutation } from './mutation.ts';

/** Applies to a random method that `fits`. */
export function onMethod(
  fits: (method: PlainMethod, document: PlainDocument) => boolean,
  change: (method: PlainMethod, draw: Draw, document: PlainDocument) => void,
) {
  return (document: PlainDocument, draw: Draw): boolean => {
    const method = draw.pick(document.methods.filter((each) => fits(each, document)));
    if (method === undefined) return false;
    change(method, draw, document);
    return true;
  };
}

export const any = () => true;
export const structureOf = ({ paramStructure = 'either' }: PlainMethod) => paramStructure;
export const isByPosition = (method: PlainMethod) => structureOf(method) !== 'by-name';
export const paramsOf = (method: PlainMethod, document: PlainDocument) =>
  method.params.map((param) => deref(document, param) as PlainParam);
export const fresh = (required: boolean): PlainParam => ({
  name: 'addedByMutation',
  required,
  schema: { type: 'integer', minimum: 7 },
});

export function ownParam(document: PlainDocument, method: PlainMethod, index: number): PlainParam {
  const own = structuredClone(deref(document, method.params[index])) as PlainParam;
  method.params[index] = own;
  return own;
}

export const breaking = (
  name: string,
  kinds: readonly string[],
  apply: Mutation['apply'],
): Mutation => ({
  name,
  expects: { breaking: kinds },
  apply,
});
export const harmless = (name: string, apply: Mutation['apply']): Mutation => ({
  name,
  expects: 'harmless',
  apply,
});

/** A number in an extension made larger or smaller. */
export function scale(key: string, factor: number) {
  return onMethod(
    (method) => typeof method[key] === 'number' && (method[key] as number) > 1,
    (method) => (method[key] = Math.ceil((method[key] as number) * factor)),
  );
}

export function onRow(
  list: string,
  fits: (row: Record<string, unknown>) => boolean,
  change: (row: Record<string, unknown>, rows: Record<string, unknown>[]) => void,
) {
  return (document: PlainDocument, draw: Draw): boolean => {
    const rows = (document[list] ?? []) as Record<string, unknown>[];
    const row = Array.isArray(rows) ? draw.pick(rows.filter(fits)) : undefined;
    if (row === undefined) return false;
    change(row, rows);
    return true;
  };
}

export const removeFrom = (row: Record<string, unknown>, rows: Record<string, unknown>[]) =>
  void rows.splice(rows.indexOf(row), 1);

export function hasDefault(param: PlainParam): boolean {
  return (param['schema'] as { default?: unknown } | undefined)?.default !== undefined;
}
