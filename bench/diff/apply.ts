import type { PlainDocument, PlainMethod, PlainParam } from './corpus.ts';
import { deref, type Draw, type Mutation } from './mutation.ts';

type Row = Record<string, unknown>;
type Apply = Mutation['apply'];

export function breaking(name: string, kinds: readonly string[], apply: Apply): Mutation {
  return { name, expects: { breaking: kinds }, apply };
}

export function harmless(name: string, apply: Apply): Mutation {
  return { name, expects: 'harmless', apply };
}

export const any = () => true;
const structureOf = ({ paramStructure = 'either' }: PlainMethod) => paramStructure;
/** Whether a method has at least `min` parameters and, if given, one of these structures. */
export const hasParams =
  (min: number, ...structures: readonly string[]) =>
  (method: PlainMethod) =>
    method.params.length >= min &&
    (structures.length === 0 || structures.includes(structureOf(method) as string));
export const paramsOf = (method: PlainMethod, document: PlainDocument) =>
  method.params.map((param) => deref(document, param) as PlainParam);
export const newParam = (required: boolean): PlainParam => ({
  name: 'addedByMutation',
  required,
  schema: { type: 'integer', minimum: 7 },
});

/** Changes a random method that `fits`. */
export function onMethod(
  fits: (method: PlainMethod, document: PlainDocument) => boolean,
  change: (method: PlainMethod, draw: Draw, document: PlainDocument) => void,
): Apply {
  return (document, draw) => {
    const method = draw.pick(document.methods.filter((each) => fits(each, document)));
    if (method === undefined) return false;
    change(method, draw, document);
    return true;
  };
}

/** Changes a copy of the first parameter that `fits`, of a random method that has one. */
export function onFirstParam(
  fits: (param: PlainParam) => boolean,
  change: (param: PlainParam) => void,
): Apply {
  return onMethod(
    (method, document) => paramsOf(method, document).some(fits),
    (method, _, document) =>
      change(ownParam(document, method, paramsOf(method, document).findIndex(fits))),
  );
}

export function ownParam(document: PlainDocument, method: PlainMethod, index: number): PlainParam {
  const own = structuredClone(deref(document, method.params[index])) as PlainParam;
  method.params[index] = own;
  return own;
}

/** Removes a member that a method has. */
export function removeMember(key: string): Apply {
  return onMethod(
    (method) => method[key] !== undefined,
    (method) => void delete method[key],
  );
}

/** Scales a number in an extension. */
export function scale(key: string, factor: number): Apply {
  return onMethod(
    (method) => typeof method[key] === 'number' && (method[key] as number) > 1,
    (method) => (method[key] = Math.ceil((method[key] as number) * factor)),
  );
}

function onRow(list: string, fits: (row: Row) => boolean, change: (row: Row, rows: Row[]) => void) {
  return (document: PlainDocument, draw: Draw): boolean => {
    const rows = (document[list] ?? []) as Row[];
    const row = Array.isArray(rows) ? draw.pick(rows.filter(fits)) : undefined;
    if (row === undefined) return false;
    change(row, rows);
    return true;
  };
}

export function removeRow(list: string): Apply {
  return onRow(list, any, (row, rows) => void rows.splice(rows.indexOf(row), 1));
}

/** Replaces a member of a row that has another value of the same type. */
export function setInRow(list: string, member: string, value: unknown): Apply {
  return onRow(
    list,
    (row) => typeof row[member] === typeof value && row[member] !== value,
    (row) => (row[member] = value),
  );
}

export function setBatchLimit(batchCalls: number): Apply {
  return (document) => {
    if (document['x-limits'] === undefined) return false;
    document['x-limits'] = { ...(document['x-limits'] as object), batchCalls };
    return true;
  };
}
