import { isObject, type Json, type JsonObject } from '../../../common/json/value.ts';
import type { Model } from '../../model/model.ts';
import { shown, type Change } from '../change.ts';
import type { Context } from './context.ts';
import { isSame } from './equal.ts';

/** A change of the document as a whole. */
function ofService(
  subject: string,
  pointer: string,
  says: Pick<Change, 'kind' | 'what' | 'before' | 'after'>,
): Change {
  return { subject, old: pointer, new: pointer, methods: [], ...says };
}

/** Changes of the service's metadata and extensions that no other comparison reports. */
export function compareService({ old, new: fresh }: Context): readonly Change[] {
  return [
    ...compareInfo(old, fresh),
    ...compareDeclarations(old, fresh),
    ...compareDocumentExtensions(old, fresh),
  ];
}

function compareInfo(old: Model, fresh: Model): readonly Change[] {
  const changes: Change[] = [];
  const toChange = (kind: string, what: string, values: readonly [unknown, unknown]) => {
    const [before, after] = values as readonly [Json, Json];
    if (!isSame(before, after))
      changes.push(ofService('info', '/info', { kind, what, before, after }));
  };
  const readable = ({ info }: Model) => [info.title, info.description, info.contact];
  toChange('info-changed', 'title, description or contact changed', [
    readable(old),
    readable(fresh),
  ]);
  const terms = ({ info }: Model) => [info.license, info.termsOfService];
  toChange('terms-changed', 'license or terms of service changed', [terms(old), terms(fresh)]);
  if (old.openrpc !== fresh.openrpc) {
    const what = `follows OpenRPC ${fresh.openrpc} instead of ${old.openrpc}`;
    const values = { before: old.openrpc, after: fresh.openrpc };
    changes.push(
      ofService('the document', '/openrpc', { kind: 'openrpc-version-changed', what, ...values }),
    );
  }
  if (!isSame(old.externalDocs, fresh.externalDocs)) {
    const says = { kind: 'external-docs-changed', what: 'changed' };
    const values = { before: old.externalDocs, after: fresh.externalDocs };
    changes.push(ofService('external documentation', '/externalDocs', { ...says, ...values }));
  }
  return changes;
}

function namedRows(value: Json | undefined): ReadonlyMap<string, JsonObject> {
  const rows = Array.isArray(value) ? (value as readonly Json[]).filter(isObject) : [];
  return new Map(rows.map((row) => [String(row['name']), row]));
}

function compareDeclarations(old: Model, fresh: Model): readonly Change[] {
  const [was, is] = [old, fresh].map(({ extensions }) => namedRows(extensions['x-extensions'])) as [
    ReadonlyMap<string, JsonObject>,
    ReadonlyMap<string, JsonObject>,
  ];
  const says = (name: string, kind: string, what: string) =>
    ofService(`extension ${name}`, '/x-extensions', { kind, what });
  const meaning = (row: JsonObject) =>
    [row['version'], row['schema'], row['restricted']].map((each) => each ?? null);
  return [
    ...[...was.keys()]
      .filter((name) => !is.has(name))
      .map((name) => says(name, 'extension-declaration-removed', 'is no longer declared')),
    ...[...is.keys()]
      .filter((name) => !was.has(name))
      .map((name) => says(name, 'extension-declaration-added', 'is declared')),
    ...[...was]
      .filter(([name, row]) => is.has(name) && !isSame(meaning(row), meaning(is.get(name)!)))
      .map(([name]) => says(name, 'extension-declaration-changed', 'is declared otherwise')),
  ];
}

/** Extensions of the document that are compared row by row. */
const ELSEWHERE = new Set(['x-extensions', 'x-plans', 'x-limits', 'x-errors']);

function compareDocumentExtensions(old: Model, fresh: Model): readonly Change[] {
  const keys = new Set([...Object.keys(old.extensions), ...Object.keys(fresh.extensions)]);
  return [...keys].flatMap((key): Change[] => {
    const [before, after] = [old.extensions[key], fresh.extensions[key]];
    if (ELSEWHERE.has(key) || isSame(before, after)) return [];
    const what = `says ${shown(after, 40)} instead of ${shown(before, 40)}`;
    return [ofService(key, `/${key}`, { kind: 'document-extension-changed', what, before, after })];
  });
}
