import { isObject, type Json, type JsonObject } from '../../../common/json/value.ts';
import { textAt } from '../../model/member.ts';
import type { Model } from '../../model/model.ts';
import { reportAt, shown, type Change, type Report } from '../change.ts';
import type { KindId } from '../kinds/index.ts';
import { matchByKey, type Context } from './context.ts';
import { isSame } from '../../containment/canonical.ts';

function reportService(subject: string, pointer: string) {
  return reportAt({ subject, old: pointer, new: pointer, methods: [] });
}

/** Changes of the service's metadata and extensions that no other comparison reports. */
export function compareService({ old, new: fresh }: Context): readonly Change[] {
  return [
    ...compareMetadata(old, fresh),
    ...compareDeclarations(old, fresh),
    ...compareDocumentExtensions(old, fresh),
  ];
}

function compareMetadata(old: Model, fresh: Model): readonly Change[] {
  const changes: Change[] = [];
  const compare = (
    report: Report,
    [kind, what]: readonly [kind: KindId, what: string],
    read: (model: Model) => unknown,
  ) => {
    const [before, after] = [read(old), read(fresh)] as [Json, Json];
    if (!isSame(before, after)) changes.push(report(kind, what, before, after));
  };
  const info = reportService('info', '/info');
  compare(info, ['info-changed', 'title, description or contact changed'], ({ info }) => [
    info.title,
    info.description,
    info.contact,
  ]);
  compare(info, ['terms-changed', 'the license or the terms of service changed'], ({ info }) => [
    info.license,
    info.termsOfService,
  ]);
  const versions = `follows OpenRPC ${fresh.openrpc} instead of ${old.openrpc}`;
  compare(
    reportService('the document', '/openrpc'),
    ['openrpc-version-changed', versions],
    ({ openrpc }) => openrpc,
  );
  compare(
    reportService('external documentation', '/externalDocs'),
    ['external-docs-changed', 'changed'],
    ({ externalDocs }) => externalDocs,
  );
  return changes;
}

function compareDeclarations(old: Model, fresh: Model): readonly Change[] {
  const rowsOf = ({ extensions: { 'x-extensions': rows } }: Model) =>
    Array.isArray(rows) ? (rows as readonly Json[]).filter(isObject) : [];
  const nameOf = (row: JsonObject) => textAt(row, 'name');
  const meaning = (row: JsonObject) =>
    [row['version'], row['schema'], row['restricted']].map((each) => each ?? null);
  const { removed, added, kept } = matchByKey(rowsOf(old), rowsOf(fresh), nameOf);
  const changed = kept
    .filter((pair) => !isSame(meaning(pair.old), meaning(pair.new)))
    .map((pair) => pair.old);
  const report = (rows: readonly JsonObject[], kind: KindId, what: string) =>
    rows.map((row) => reportService(`extension ${nameOf(row)}`, '/x-extensions')(kind, what));
  return [
    ...report(removed, 'extension-declaration-removed', 'is no longer declared'),
    ...report(added, 'extension-declaration-added', 'is declared'),
    ...report(changed, 'extension-declaration-changed', 'is declared differently'),
  ];
}

/** Extensions of the document that are compared row by row. */
const ELSEWHERE = new Set(['x-extensions', 'x-plans', 'x-limits', 'x-errors']);

function compareDocumentExtensions(old: Model, fresh: Model): readonly Change[] {
  const keys = new Set([...Object.keys(old.extensions), ...Object.keys(fresh.extensions)]);
  return [...keys].flatMap((key) => {
    const [before, after] = [old.extensions[key], fresh.extensions[key]];
    if (ELSEWHERE.has(key) || isSame(before, after)) return [];
    const what = `has the value ${shown(after, 40)} instead of ${shown(before, 40)}`;
    return reportService(key, `/${key}`)('document-extension-changed', what, before, after);
  });
}
