import { isSame } from './equal.ts';
import type { MethodModel } from '../../model/model.ts';
import type { Change } from '../change.ts';
import { ofMethod, type Context, type MethodPair } from './context.ts';
import { compareExamples } from './examples.ts';
import { compareMethodErrors } from './errors.ts';
import { compareMethodContract } from './contract.ts';
import { compareLifetime, removalOf } from './lifetime.ts';
import { compareParams } from './params.ts';
import { compareResult } from './result.ts';

/** Changes of the methods: those that came and went, and what became of those that stayed. */
export function compareMethods(context: Context): readonly Change[] {
  const old = new Map(context.old.methods.map((method) => [method.name, method]));
  const fresh = new Map(context.new.methods.map((method) => [method.name, method]));
  const removed = context.old.methods.filter(({ name }) => !fresh.has(name));
  const added = context.new.methods.filter(({ name }) => !old.has(name));
  const renamed = findRenamed(context, removed, added);
  const isRenamed = (method: MethodModel) =>
    renamed.some((pair) => pair.old === method || pair.new === method);
  const stayed = context.old.methods.flatMap((method): MethodPair[] => {
    const other = fresh.get(method.name);
    return other === undefined ? [] : [{ old: method, new: other }];
  });
  return [
    ...renamed.map((pair) =>
      ofMethod(pair, 'name', {
        kind: 'method-renamed',
        subject: pair.old.name,
        what: `is called ${pair.new.name} now`,
        before: pair.old.name,
        after: pair.new.name,
      }),
    ),
    ...removed.filter((method) => !isRenamed(method)).map((method) => removalOf(method, context)),
    ...added.filter((method) => !isRenamed(method)).map(addition),
    ...[...stayed, ...renamed].flatMap((pair) => compareMethod(context, pair)),
  ];
}

function addition(method: MethodModel): Change {
  return {
    kind: 'method-added',
    subject: method.name,
    what: `was added${method.summary === '' ? '' : `: ${method.summary}`}`,
    old: null,
    new: method.pointer,
    after: method.name,
    methods: [method.name],
  };
}

/** A method that is gone and a new one that takes and gives the same, and is alone in that. */
function findRenamed(
  { containments: { pool } }: Context,
  removed: readonly MethodModel[],
  added: readonly MethodModel[],
): readonly MethodPair[] {
  const signature = (side: 'old' | 'new', { params, result, paramStructure }: MethodModel) => {
    const schemas = [...params, ...(result === null ? [] : [result])].map(
      ({ schema }) => pool.of(side, schema).id,
    );
    // What takes nothing, or anything at all, has too little to be known by.
    const isDistinctive = schemas.length > 1 && schemas.some((id) => id !== pool.everything.id);
    const names = params.map(({ name, required }) => `${name}${required ? '!' : ''}`);
    return isDistinctive ? JSON.stringify([paramStructure, names, schemas]) : null;
  };
  return removed.flatMap((method): MethodPair[] => {
    const own = signature('old', method);
    if (own === null) return [];
    const same = added.filter((each) => signature('new', each) === own);
    const rivals = removed.filter((each) => signature('old', each) === own);
    return same.length === 1 && rivals.length === 1 ? [{ old: method, new: same[0]! }] : [];
  });
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

const DOCS = ['summary', 'description', 'tags', 'links', 'externalDocs'];

function compareDocs(context: Context, pair: MethodPair): readonly Change[] {
  const { old, new: fresh } = pair;
  const rawOf = (method: MethodModel, member: string) => {
    if (member === 'tags') return method.tags.map((tag) => ({ ...tag }));
    const raw = (
      member === 'links' ? linksOf(context, method) : method[member as 'summary']
    ) as never;
    return raw ?? null;
  };
  const changed = DOCS.filter((member) => !isSame(rawOf(old, member), rawOf(fresh, member)));
  if (changed.length === 0) return [];
  const first = changed[0]!;
  return [
    ofMethod(pair, first, {
      kind: 'method-docs-changed',
      what: `${changed.join(', ')} changed`,
      before: rawOf(old, first),
      after: rawOf(fresh, first),
    }),
  ];
}

function linksOf({ old, new: fresh }: Context, method: MethodModel) {
  const model = old.methods.includes(method) ? old : fresh;
  const list = model.document['methods'] as readonly unknown[];
  const raw = list[model.methods.indexOf(method)] as { readonly links?: unknown } | undefined;
  return raw?.links ?? null;
}
