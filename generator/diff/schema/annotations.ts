import { joinPointer, splitPointer } from '../../../common/json/pointer.ts';
import { isObject, type Json, type JsonObject, type Schema } from '../../../common/json/value.ts';
import { isSame } from '../../containment/canonical.ts';
import { walkSchemas } from '../../schema/subschemas.ts';
import { reportAt, shown, type Change, type Report } from '../change.ts';
import { pathOf } from './place.ts';

interface Root {
  readonly schema: Schema;
  readonly pointer: string;
}

interface AnnotatedPair {
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
    changes.push(
      ...compareDefault(was, is, { report, isParam: pair.isParam && place === '' }),
      ...compareDeprecation(was, is, report),
      ...compareExtensions(was, is, report),
    );
  }
  if (docs > 0) {
    const what = `is documented differently${docs === 1 ? '' : ` in ${docs} places`}`;
    changes.push(reportBelow(pair, '')('schema-docs-changed', what));
  }
  return changes;
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
  was: JsonObject,
  is: JsonObject,
  { report, isParam }: { readonly report: ReportKeyword; readonly isParam: boolean },
): readonly Change[] {
  const [before, after] = [was['default'], is['default']];
  if (isSame(before, after)) return [];
  const change = (kind: string, what: string) => [report('default')(kind, what, before, after)];
  const replaced = `defaults to ${shown(after)} instead of ${shown(before)}`;
  if (!isParam) return change('member-default-changed', replaced);
  if (before === undefined) return change('param-default-added', `now defaults to ${shown(after)}`);
  if (after === undefined)
    return change('param-default-removed', `no longer defaults to ${shown(before)}`);
  return change('param-default-changed', replaced);
}

function compareDeprecation(
  was: JsonObject,
  is: JsonObject,
  report: ReportKeyword,
): readonly Change[] {
  const [before, after] = [was['deprecated'] === true, is['deprecated'] === true];
  if (before === after) return [];
  const [kind, what] = after
    ? (['member-deprecated', 'is deprecated'] as const)
    : (['member-no-longer-deprecated', 'is no longer deprecated'] as const);
  return [report('deprecated')(kind, what, before, after)];
}

/** Extensions that are compared elsewhere, as documentation or as allowed values. */
const ELSEWHERE = new Set(['x-expected', 'x-format']);

function compareExtensions(
  was: JsonObject,
  is: JsonObject,
  report: ReportKeyword,
): readonly Change[] {
  const keys = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [...keys].flatMap((keyword): readonly Change[] => {
    const [before, after] = [was[keyword], is[keyword]];
    if (!keyword.startsWith('x-') || ELSEWHERE.has(keyword) || isSame(before, after)) return [];
    const what = `has ${keyword} ${shown(after)} instead of ${shown(before)}`;
    return [report(keyword)(kindOf(keyword, before, after), what, before, after)];
  });
}

function kindOf(keyword: string, before: Json | undefined, after: Json | undefined): string {
  if (keyword === 'x-gas-cap')
    return capOf(after) < capOf(before) ? 'gas-cap-lowered' : 'gas-cap-raised';
  return keyword === 'x-normalize' ? 'normalization-changed' : 'schema-extension-changed';
}

function capOf(value: Json | undefined): number {
  const times = isObject(value) ? value['timesBlockGasLimit'] : undefined;
  return typeof times === 'number' ? times : Infinity;
}
