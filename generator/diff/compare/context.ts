import type { Schema } from '../../../common/json/value.ts';
import type { Containments } from '../../containment/containment.ts';
import type { Side } from '../../containment/pool.ts';
import type { MethodModel, Model } from '../../model/model.ts';
import { reportAt, type Change } from '../change.ts';
import type { KindId } from '../kinds/index.ts';
import { compareAnnotations } from '../schema/annotations.ts';
import type { SchemaComparer } from '../schema/compare.ts';
import type { Direction } from '../schema/question.ts';

/** The input of every comparison. */
export interface Context {
  readonly old: Model;
  readonly new: Model;
  readonly containments: Containments;
  readonly schemas: SchemaComparer;
  /** The date sunset dates are compared with: YYYY-MM-DD. */
  readonly today: string;
}

/** The same thing in both documents. */
export interface Both<T> {
  readonly old: T;
  readonly new: T;
}

export type MethodPair = Both<MethodModel>;

/** Matches two lists by key; the pairs have the order of the older one. */
export function matchByKey<T>(old: readonly T[], fresh: readonly T[], keyOf: (each: T) => string) {
  const before = new Map(old.map((each) => [keyOf(each), each]));
  const after = new Map(fresh.map((each) => [keyOf(each), each]));
  return {
    removed: [...before].filter(([key]) => !after.has(key)).map(([, each]) => each),
    added: [...after].filter(([key]) => !before.has(key)).map(([, each]) => each),
    kept: [...before].flatMap(([key, each]): readonly Both<T>[] =>
      after.has(key) ? [{ old: each, new: after.get(key)! }] : [],
    ),
  };
}

/**
 * Pairs a removed and an added element with the same key, if no other element has that key. Elements with
 * the key null are not paired. The returned `removed` and `added` are the elements without a partner.
 */
export function matchRenamed<T>(
  lists: { readonly removed: readonly T[]; readonly added: readonly T[] },
  keyOf: (side: Side, each: T) => unknown,
) {
  const [removed, added] = (['old', 'new'] as const).map((side) => {
    const groups = Map.groupBy(side === 'old' ? lists.removed : lists.added, (each) =>
      keyOf(side, each),
    );
    groups.delete(null);
    return groups;
  });
  const renamed = [...removed!].flatMap(([key, old]): readonly Both<T>[] => {
    const fresh = added!.get(key) ?? [];
    return old.length === 1 && fresh.length === 1 ? [{ old: old[0]!, new: fresh[0]! }] : [];
  });
  const isPaired = new Set(renamed.flatMap((pair) => [pair.old, pair.new]));
  const isAlone = (each: T): boolean => !isPaired.has(each);
  return { renamed, removed: lists.removed.filter(isAlone), added: lists.added.filter(isAlone) };
}

export type Finding = readonly [kind: KindId, what: string];

/**
 * Creates the function that reports changes of a member of a method, or of the method if `member` is "".
 */
export function reportOf({ old, new: fresh }: MethodPair, member: string, subject = fresh.name) {
  const suffix = member === '' ? '' : `/${member}`;
  return reportAt({
    subject,
    old: `${old.pointer}${suffix}`,
    new: `${fresh.pointer}${suffix}`,
    methods: [fresh.name],
  });
}

interface SchemaUse extends Pick<Change, 'subject' | 'methods'> {
  readonly direction: Direction;
  /** What findings in the schema are attributed to: the method, a line break, the role. */
  readonly root: string;
  readonly isParam?: boolean;
}

/**
 * Compares two schemas. Returns changes of their annotations; changes of the allowed values are
 * collected by `context.schemas`, which reports shared schemas once.
 */
export function compareSchemas(
  context: Context,
  { old, new: fresh }: Both<{ readonly schema: Schema; readonly pointer: string }>,
  { direction, root, subject, methods, isParam = false }: SchemaUse,
): readonly Change[] {
  const pair = { old: { side: 'old', ...old }, new: { side: 'new', ...fresh } } as const;
  context.schemas.compare(pair, direction, root);
  return compareAnnotations({ models: context, old, new: fresh, subject, methods, isParam });
}

/** The schema of a content descriptor and its place. */
export function schemaOf({ schema, pointer }: { schema: Schema; pointer: string }) {
  return { schema, pointer: `${pointer}/schema` };
}
