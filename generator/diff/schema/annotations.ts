import { joinPointer, splitPointer } from '../../../common/json/pointer.ts';
import { isObject, type Json, type JsonObject, type Schema } from '../../../common/json/value.ts';
import { walkSchemas } from '../../schema/subschemas.ts';
import { isSame } from '../compare/equal.ts';
import type { Context } from '../compare/context.ts';
import { shown, type Change } from '../change.ts';
import { pathOf } from './place.ts';

interface Root {
  readonly schema: Schema;
  readonly pointer: string;
}

export interface AnnotatedPair {
  readonly old: Root;
  readonly new: Root;
  readonly subject: string;
  readonly methods: readonly string[];
  /** True for the schema of a parameter as a whole, whose default is what a call without it means. */
  readonly isParam: boolean;
}

/** Keywords for readers. */
const DOCS = ['title', 'description', 'examples', '$comment', 'x-expected'];

/**
 * Changes of what schemas say beside which values they allow, wherever the same place is in both:
 * documentation, defaults, deprecation, extensions.
 */
export function compareAnnotations(context: Context, pair: AnnotatedPair): readonly Change[] {
  if (pair.old.schema === pair.new.schema || isSame(pair.old.schema, pair.new.schema)) return [];
  const [old, fresh] = [schemasIn(pair.old), schemasIn(pair.new)];
  const changes: Change[] = [];
  let docs = 0;
  for (const [place, was] of old) {
    const is = fresh.get(place);
    if (is === undefined) continue;
    if (DOCS.some((keyword) => !isSame(was[keyword], is[keyword]))) docs += 1;
    const at = { ...pair, place, was, is };
    changes.push(...compareDefault(at), ...compareDeprecation(at), ...compareExtensions(at));
  }
  if (docs > 0) {
    const places =
      docs === 1 ? 'is described otherwise' : `is described otherwise in ${docs} places`;
    changes.push(change({ ...pair, place: '' }, { kind: 'schema-docs-changed', what: places }));
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

interface At extends AnnotatedPair {
  readonly place: string;
  readonly was: JsonObject;
  readonly is: JsonObject;
}

type Says = Pick<Change, 'kind' | 'what' | 'before' | 'after'> & { readonly keyword?: string };

function change(
  at: Pick<At, 'old' | 'new' | 'subject' | 'methods' | 'place'>,
  { keyword, ...says }: Says,
): Change {
  const path = pathOf(splitPointer(at.place));
  const below = (root: Root) => {
    const pointer = `${root.pointer}${at.place}`;
    return keyword === undefined ? pointer : joinPointer(pointer, keyword);
  };
  return {
    ...says,
    subject: `${at.subject}${path === '' ? '' : `, ${path}`}`,
    old: below(at.old),
    new: below(at.new),
    methods: at.methods,
  };
}

function compareDefault(at: At): readonly Change[] {
  const [before, after] = [at.was['default'], at.is['default']];
  if (isSame(before, after)) return [];
  const says = { before, after, keyword: 'default' };
  if (!at.isParam || at.place !== '') {
    const what = `stands for ${shown(after)} instead of ${shown(before)} where it is left out`;
    return [change(at, { ...says, kind: 'member-default-changed', what })];
  }
  if (before === undefined) {
    return [
      change(at, {
        ...says,
        kind: 'param-default-added',
        what: `means ${shown(after)} where it is left out`,
      }),
    ];
  }
  if (after === undefined) {
    const what = `no longer says that it means ${shown(before)} where it is left out`;
    return [change(at, { ...says, kind: 'param-default-removed', what })];
  }
  const what = `means ${shown(after)} instead of ${shown(before)} where it is left out`;
  return [change(at, { ...says, kind: 'param-default-changed', what })];
}

function compareDeprecation(at: At): readonly Change[] {
  const [before, after] = [at.was['deprecated'] === true, at.is['deprecated'] === true];
  if (before === after) return [];
  const kind = after ? 'member-deprecated' : 'member-no-longer-deprecated';
  const what = after ? 'is deprecated' : 'is no longer deprecated';
  return [change(at, { kind, what, before, after, keyword: 'deprecated' })];
}

/** Extensions whose changes are reported elsewhere, as documentation or as allowed values. */
const ELSEWHERE = new Set(['x-expected', 'x-format']);

function compareExtensions(at: At): readonly Change[] {
  const keys = new Set([...Object.keys(at.was), ...Object.keys(at.is)]);
  return [...keys].flatMap((keyword): readonly Change[] => {
    const [before, after] = [at.was[keyword], at.is[keyword]];
    if (!keyword.startsWith('x-') || ELSEWHERE.has(keyword) || isSame(before, after)) return [];
    const says = { before, after, keyword };
    const what = `has ${keyword} ${shown(after)} instead of ${shown(before)}`;
    if (keyword === 'x-gas-cap') {
      const [was, is] = [capOf(before), capOf(after)];
      return [change(at, { ...says, kind: is < was ? 'gas-cap-lowered' : 'gas-cap-raised', what })];
    }
    const kind = keyword === 'x-normalize' ? 'normalization-changed' : 'schema-extension-changed';
    return [change(at, { ...says, kind, what })];
  });
}

function capOf(value: Json | undefined): number {
  const times = isObject(value) ? value['timesBlockGasLimit'] : undefined;
  return typeof times === 'number' ? times : Infinity;
}
