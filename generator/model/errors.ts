import { joinPointer, splitPointer } from '../../common/json/pointer.ts';
import { isSchema, type JsonObject } from '../../common/json/value.ts';
import { objectAt } from '../schema/document-schemas.ts';
import { pascalCase } from './casing.ts';
import { listRefs, numberAt, textAt, type Member } from './member.ts';
import type { ErrorModel, MethodErrorModel, Model } from './model.ts';
import { createNames } from './names.ts';
import { reservedTypes } from './reserved.ts';

/**
 * Builds the error catalog: the rows of `x-errors`; then component errors without a row; then errors
 * that methods declare inline, one for each code and message, named after the message.
 */
export function buildErrors(
  document: JsonObject,
  methods: readonly Member[],
): readonly ErrorModel[] {
  const names = createNames({ kind: 'Error', reserved: reservedTypes, casing: 'pascal' });
  // Another vendor's extension may use the same key: entries of another shape are ignored.
  const rows = listRefs(document, '/x-errors').filter(
    ({ value }) => numberAt(value, 'code') !== null && textAt(value, 'name') !== '',
  );
  const covered = new Set(rows.map(({ value }) => textAt(value, 'error')));
  const components = Object.entries(objectAt(objectAt(document, 'components'), 'errors'))
    .filter(([key]) => !covered.has(key))
    .map(([key, value]) => ({
      value: { name: key, error: key, ...(value as JsonObject) },
      pointer: joinPointer('/components/errors', key),
    }));
  return [...rows, ...components, ...inlineErrors(document, methods)].map((member) =>
    buildRow(member, names.claim(textAt(member.value, 'name'))),
  );
}

function inlineErrors(document: JsonObject, methods: readonly Member[]): readonly Member[] {
  const found = new Map<string, Member>();
  for (const method of methods) {
    for (const { value, pointer } of listRefs(document, joinPointer(method.pointer, 'errors'))) {
      const key = `${String(value['code'])} ${textAt(value, 'message')}`;
      if (splitPointer(pointer)[0] === 'components' || found.has(key)) continue;
      found.set(key, { value: { name: nameOf(value), ...value }, pointer });
    }
  }
  return [...found.values()];
}

/** Maximum number of characters of a name that is made from a message. */
const MAX_NAME = 40;

function nameOf(error: JsonObject): string {
  const message = textAt(error, 'message').trim();
  const start = message.slice(0, MAX_NAME + 1).replace(/[\s.,;:_-]+[^\s.,;:_-]*$/, '');
  const words = pascalCase(message.length <= MAX_NAME ? message : start).slice(0, MAX_NAME);
  return words === '' ? `Code ${String(error['code'])}` : words;
}

function buildRow({ value, pointer }: Member, name: string): ErrorModel {
  const text = (key: string) => textAt(value, key) || null;
  const flag = (key: string) => (typeof value[key] === 'boolean' ? value[key] : null);
  const data = value['data'];
  return {
    name,
    error: text('error'),
    code: Number(value['code']),
    message: textAt(value, 'message'),
    reason: text('reason'),
    origin: text('origin'),
    status: statusAt(value),
    charged: flag('charged'),
    retryable: flag('retryable'),
    cause: text('cause'),
    fix: text('fix'),
    data: pointer.startsWith('/x-errors/') && isSchema(data) ? data : null,
    pointer,
  };
}

/** Returns the HTTP status of a row; null for a number that no final response can have (RFC 9110, section 15). */
function statusAt(row: JsonObject): number | null {
  const status = numberAt(row, 'status');
  const isFinal = Number.isInteger(status) && status! >= 200 && status! <= 599;
  return isFinal ? status : null;
}

/** The rows of a catalog, by component and by code and message. */
interface ErrorIndex {
  readonly byComponent: ReadonlyMap<string | null, readonly ErrorModel[]>;
  readonly byText: ReadonlyMap<string, readonly ErrorModel[]>;
}

// A method may declare thousands of errors, and each of them is looked up by several targets.
const indexes = new WeakMap<readonly ErrorModel[], ErrorIndex>();

/** Returns the rows of the catalog for an error that a method declares. */
export function rowsOf({ errors }: Model, declared: MethodErrorModel): readonly ErrorModel[] {
  let index = indexes.get(errors);
  if (index === undefined) {
    index = {
      byComponent: Map.groupBy(errors, ({ error }) => error),
      byText: Map.groupBy(errors, textKey),
    };
    indexes.set(errors, index);
  }
  const { name } = declared;
  const rows = name === null ? index.byText.get(textKey(declared)) : index.byComponent.get(name);
  return rows ?? [];
}

function textKey({ code, message }: Pick<ErrorModel, 'code' | 'message'>): string {
  return `${code} ${message}`;
}
