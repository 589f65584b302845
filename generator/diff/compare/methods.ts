import type { JsonObject } from '../../../common/json/value.ts';
import type { MethodModel } from '../../model/model.ts';
import { listAt } from '../../schema/document-schemas.ts';
import { reportAt, type Change } from '../change.ts';
import {
  compareSchemas,
  matchByKey,
  matchRenamed,
  reportOf,
  schemaOf,
  type Context,
  type MethodPair,
} from './context.ts';
import { isSame } from '../../containment/canonical.ts';
import { compareExamples } from './examples.ts';
import { compareMethodErrors } from './errors.ts';
import { compareMethodContract } from './contract.ts';
import { compareLifetime, removalOf } from './lifetime.ts';
import { compareParams } from './params.ts';

/** Changes of the methods: removed, added and renamed ones, and everything within the others. */
export function compareMethods(context: Context): readonly Change[] {
  const { old, new: fresh } = context;
  const matched = matchByKey(old.methods, fresh.methods, ({ name }) => name);
  const { renamed, removed, added } = matchRenamed(matched, (side, method) =>
    signatureOf(context, side, method),
  );
  return [
    ...renamed.map((pair) => {
      const [before, after] = [pair.old.name, pair.new.name];
      const report = reportOf(pair, 'name', before);
      return report('method-renamed', `was renamed to ${after}`, before, after);
    }),
    ...removed.map((method) => removalOf(method, context)),
    ...added.map(addition),
    ...[...matched.kept, ...renamed].flatMap((pair) => compareMethod(context, pair)),
  ];
}

function addition({ name, pointer, summary }: MethodModel): Change {
  const report = reportAt({ subject: name, old: null, new: pointer, methods: [name] });
  return report(
    'method-added',
    `was added${summary === '' ? '' : `: ${summary}`}`,
    undefined,
    name,
  );
}

/** Returns a text that is equal for methods with the same parameters and result, or null. */
function signatureOf(
  { containments: { pool } }: Context,
  side: 'old' | 'new',
  { params, result, paramStructure }: MethodModel,
): string | null {
  const schemas = [...params, ...(result === null ? [] : [result])].map(
    ({ schema }) => pool.of(side, schema).id,
  );
  // Methods without parameters, or whose schemas allow anything, are too similar to be matched.
  const isDistinctive = schemas.length > 1 && schemas.some((id) => id !== pool.everything.id);
  const names = params.map(({ name, required }) => `${name}${required ? '!' : ''}`);
  return isDistinctive ? JSON.stringify([paramStructure, names, schemas]) : null;
}

function compareMethod(context: Context, pair: MethodPair): readonly Change[] {
  return [
    ...compareLifetime(pair, context),
    ...compareParams(context, pair),
    ...compareResult(context, pair),
    ...compareMethodErrors(pair),
    ...compareMethodContract(pair),
    ...compareExamples(pair),
    ...compareDocs(context, pair),
  ];
}

function compareResult(context: Context, pair: MethodPair): readonly Change[] {
  const { name, result: fresh } = pair.new;
  const old = pair.old.result;
  if (old === null && fresh === null) return [];
  if (fresh === null)
    return [reportOf(pair, '')('result-removed', 'no longer returns a result', old!.name)];
  const report = reportOf(pair, 'result');
  if (old === null) {
    const what = 'now returns a result; it was a notification';
    return [report('result-added', what, undefined, fresh.name)];
  }
  const use = { direction: 'response', root: `${name}\nresult`, methods: [name] } as const;
  const places = { old: schemaOf(old), new: schemaOf(fresh) };
  const annotations = compareSchemas(context, places, { ...use, subject: `${name}, result` });
  if (old.name === fresh.name) return annotations;
  const what = `names its result "${fresh.name}" instead of "${old.name}"`;
  return [report('result-renamed', what, old.name, fresh.name), ...annotations];
}

/** Members of a method that are documentation. */
const DOCS = ['summary', 'description', 'tags', 'links', 'externalDocs'] as const;

function compareDocs(context: Context, pair: MethodPair): readonly Change[] {
  const [before, after] = [docsOf(pair.old, context.old), docsOf(pair.new, context.new)];
  const changed = DOCS.filter((member) => !isSame(before[member], after[member]));
  const [first] = changed;
  if (first === undefined) return [];
  const what = `${changed.join(', ')} changed`;
  return [reportOf(pair, first)('method-docs-changed', what, before[first], after[first])];
}

function docsOf(
  method: MethodModel,
  { document, methods }: Context['old'],
): Readonly<Record<(typeof DOCS)[number], JsonObject[string]>> {
  const { summary, description, tags, externalDocs } = method;
  const links = listAt(document, 'methods')[methods.indexOf(method)]?.['links'] ?? null;
  return { summary, description, tags: tags.map((tag) => ({ ...tag })), links, externalDocs };
}
