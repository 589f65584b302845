import { joinPointer, splitPointer } from '../../../common/json/pointer.ts';
import { isObject, type Json, type JsonObject, type Schema } from '../../../common/json/value.ts';
import { isSame } from '../../containment/canonical.ts';
import { walkSchemas } from '../../schema/subschemas.ts';
import { reportAt, shown, type Change, type Report } from '../change.ts';
import type { KindId } from '../kinds/index.ts';
import { flatten, pathOf, type Models } from './place.ts';

interface Root {
  readonly schema: Schema;
  readonly pointer: string;
}

interface AnnotatedPair {
  readonly models: Models;
  readonly old: Root;
  readonly new: Root;
  readonly subject: string;
  readonly methods: readonly string[];
  /** True for the whole schema of a parameter: its default is the value of an omitted parameter. */
  readonly isParam: boolean;
}

/** Keywords for readers. */
const DOCS = ['title', 'description', 'examples', '$comment', 'x-expected'];

/**
 * Changes of the annotations of schemas, wherever both documents have a schema at the same place:
 * documentation, defaults, deprecation, extensions.
 */
export function compareAnnotations(pair: AnnotatedPair): readonly Change[] {
  if (pair.old.schema === pair.new.schema || isSame(pair.old.schema, pair.new.schema)) return [];
  const [old, fresh] = [schemasIn(pair.old), schemasIn(pair.new)];
  const changes: Change[] = [];
  let docs = 0;
  for (const [place, was] of old) {
    const is = fresh.get(place);
    if (is === undefined) continue;
    if (DOCS.some((keyword) => !isSame(was[keyword], is[keyword]))) docs += 1;
    const report = (keyword: string) => reportBelow(pair, place, keyword);
    const values = (keyword: string) => valuesOf(pair.models, [was, is], keyword);
    changes.push(
      ...compareDefault(values, { report, isParam: pair.isParam && place === '' }),
      ...compareDeprecation(values, report),
      ...compareExtensions([was, is], values, report),
    );
  }
  if (docs > 0) {
    const what = `is documented differently${docs === 1 ? '' : ` in ${docs} places`}`;
    changes.push(reportBelow(pair, '')('schema-docs-changed', what));
  }
  return changes;
}

type Values = (keyword: string) => readonly [before: Json | undefined, after: Json | undefined];

/**
 * Returns the values of a keyword. Where only one schema has it, the other one may refer to a component
 * that has it.
 */
function valuesOf(
  models: Models,
  [was, is]: readonly [JsonObject, JsonObject],
  keyword: string,
): ReturnType<Values> {
  const own = [was[keyword], is[keyword]] as const;
  if (own[0] !== undefined && own[1] !== undefined) return own;
  if (own[0] === own[1]) return own;
  const within = (side: 'old' | 'new', schema: JsonObject) =>
    flatten(models, { side, schema, pointer: '' })
      .map((part) => part.schema[keyword])
      .find((value) => value !== undefined);
  return [own[0] ?? within('old', was), own[1] ?? within('new', is)];
}

/** The schema objects at and below a root, by their pointer from it. */
function schemasIn({ schema }: Root): ReadonlyMap<string, JsonObject> {
  const roots = [{ schema, holder: [schema], key: 0, pointer: '' }];
  return new Map(
    [...walkSchemas(roots)].flatMap(({ schema, pointer }): [string, JsonObject][] =>
      isObject(schema) ? [[pointer, schema]] : [],
    ),
  );
}

function reportBelow(pair: AnnotatedPair, place: string, keyword?: string): Report {
  const path = pathOf(splitPointer(place));
  const below = (root: Root) => {
    const pointer = `${root.pointer}${place}`;
    return keyword === undefined ? pointer : joinPointer(pointer, keyword);
  };
  const subject = `${pair.subject}${path === '' ? '' : `, ${path}`}`;
  return reportAt({ subject, old: below(pair.old), new: below(pair.new), methods: pair.methods });
}

type ReportKeyword = (keyword: string) => Report;

function compareDefault(
  values: Values,
  { report, isParam }: { readonly report: ReportKeyword; readonly isParam: boolean },
): readonly Change[] {
  const [before, after] = values('default');
  if (isSame(before, after)) return [];
  const change = (kind: KindId, what: string) => [report('default')(kind, what, before, after)];
  const replaced = `defaults to ${shown(after)} instead of ${shown(before)}`;
  if (!isParam) return change('member-default-changed', replaced);
  if (before === undefined) return change('param-default-added', `now defaults to ${shown(after)}`);
  if (after === undefined)
    return change('param-default-removed', `no longer defaults to ${shown(before)}`);
  return change('param-default-changed', replaced);
}

function compareDeprecation(values: Values, report: ReportKeyword): readonly Change[] {
  const [before, after] = values('deprecated').map((value) => value === true) as [boolean, boolean];
  if (before === after) return [];
  const [kind, what] = after
    ? (['member-deprecated', 'is deprecated'] as const)
    : (['member-no-longer-deprecated', 'is no longer deprecated'] as const);
  return [report('deprecated')(kind, what, before, after)];
}

/** Extensions that are compared elsewhere, as documentation or as allowed values. */
const ELSEWHERE = new Set(['x-expected', 'x-format']);

/** Changes of the extensions of two schemas or parameters. */
export function compareExtensions(
  schemas: readonly [JsonObject, JsonObject],
  values: Values,
  report: ReportKeyword,
): readonly Change[] {
  const keys = new Set(schemas.flatMap((schema) => Object.keys(schema)));
  return [...keys].flatMap((keyword): readonly Change[] => {
    const [before, after] = values(keyword);
    if (!keyword.startsWith('x-') || ELSEWHERE.has(keyword) || isSame(before, after)) return [];
    const what = `has ${keyword} ${shown(after)} instead of ${shown(before)}`;
    return [report(keyword)(kindOf(keyword, before, after), what, before, after)];
  });
}

function kindOf(keyword: string, before: Json | undefined, after: Json | undefined): KindId {
  if (keyword === 'x-gas-cap')
    return capOf(after) < capOf(before) ? 'gas-cap-lowered' : 'gas-cap-raised';
  return keyword === 'x-normalize' ? 'normalization-changed' : 'schema-extension-changed';
}

function capOf(value: Json | undefined): number {
  const times = isObject(value) ? value['timesBlockGasLimit'] : undefined;
  return typeof times === 'number' ? times : Infinity;
}
