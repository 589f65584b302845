import type { Node, Side } from '../../containment/pool.ts';
import { isObject, type Json } from '../../../common/json/value.ts';
import { listOf } from '../../containment/pool.ts';
import type { KindId } from '../kinds/index.ts';
import { objectAt } from '../../schema/document-schemas.ts';
import { piecesOf } from './pieces.ts';
import { below, flatten, flattenVariants, nodeAt, type SchemaAt } from './place.ts';
import type { Pair, SchemaFinding, Scope } from './question.ts';

interface MemberChanges {
  readonly findings: readonly SchemaFinding[];
  /** The members that have findings. */
  readonly handled: ReadonlySet<string>;
  /** The handled members for which findings also report whether they are required. */
  readonly handledRequired: ReadonlySet<string>;
}

interface Context extends Scope {
  /** False if no change of the schema can break a call. */
  readonly mayBreak: boolean;
  /** Which of the two schemas allow no value at all. */
  readonly vacant: Readonly<Record<Side, boolean>>;
}

/** Compares the members that only one of two schemas describes. */
export function compareMembers(context: Context, pair: Pair): MemberChanges {
  const [old, fresh] = [membersAt(context, pair.old), membersAt(context, pair.new)];
  if (old === null || fresh === null)
    return { findings: [], handled: new Set(), handledRequired: new Set() };
  const added = [...fresh.places].filter(([name]) => !old.described.has(name));
  const removed = [...old.places].filter(([name]) => !fresh.described.has(name));
  return {
    findings: [
      ...added.map(([name, place]): SchemaFinding => {
        const isRequired = fresh.required.has(name);
        const [kind, what] = describeAdded(context, old, { name, isRequired });
        const after = place.schema;
        const member = { name, of: pair.old.pointer };
        return { kind, what, old: pair.old.pointer, new: place.pointer, after, member };
      }),
      ...removed.map(([name, place]): SchemaFinding => {
        const isRequired = old.required.has(name);
        const [kind, what] = describeRemoved(context, fresh, { name, isRequired });
        const before = place.schema;
        const member = { name, of: pair.old.pointer };
        return { kind, what, old: place.pointer, new: pair.new.pointer, before, member };
      }),
    ],
    handled: new Set([...added, ...removed].map(([name]) => name)),
    // A schema may require a member that only the other schema describes.
    handledRequired: new Set([
      ...added.filter(([name]) => !old.required.has(name)).map(([name]) => name),
      ...removed.filter(([name]) => !fresh.required.has(name)).map(([name]) => name),
    ]),
  };
}

interface Members {
  readonly at: SchemaAt;
  readonly places: ReadonlyMap<string, SchemaAt>;
  /** Names of these members and of those that variants of the schema describe. */
  readonly described: ReadonlySet<string>;
  readonly required: ReadonlySet<string>;
}

/** Returns the members a schema describes, or null if it does not describe objects. */
function membersAt({ models }: Context, at: SchemaAt): Members | null {
  const parts = flatten(models, at).filter(
    ({ schema }) => isObject(schema['properties']) || [schema['type']].flat().includes('object'),
  );
  const described = new Set(
    flattenVariants(models, at).flatMap(({ schema }) =>
      Object.keys(objectAt(schema, 'properties')),
    ),
  );
  if (parts.length === 0 && described.size === 0) return null;
  const places = parts.flatMap((part) =>
    Object.keys(objectAt(part.schema, 'properties')).flatMap((name) =>
      below(part, 'properties', name).map((place) => [name, place] as const),
    ),
  );
  const required = parts.flatMap(({ schema }) => listOf<string>(schema, 'required'));
  return { at, places: new Map(places), described, required: new Set(required) };
}

interface Member {
  readonly name: string;
  readonly isRequired: boolean;
}

type Description = readonly [kind: KindId, what: string];

/** Describes a member that the newer schema adds to `old`. */
function describeAdded(context: Context, old: Members, { name, isRequired }: Member): Description {
  const { direction } = context;
  if (direction === 'response' && context.mayBreak && !isAccepted(context, old.at, name)) {
    const what = `results may have a member ${name}, which the older document forbids`;
    return ['response-property-added-to-closed', what];
  }
  const isNew = direction === 'response' || !isPromised(context, old, name);
  return isRequired && isNew
    ? [`${direction}-required-property-added`, `the required member ${name} was added`]
    : [`${direction}-property-added`, `the optional member ${name} was added`];
}

/** Describes a member that is missing in the newer schema, `fresh`. */
function describeRemoved(
  context: Context,
  fresh: Members,
  { name, isRequired }: Member,
): Description {
  const { direction } = context;
  if (direction === 'request' && context.mayBreak && !isAccepted(context, fresh.at, name))
    return ['request-property-disallowed', `the member ${name} is rejected`];
  const isLost = direction === 'request' || !isPromised(context, fresh, name);
  return isRequired && isLost
    ? [`${direction}-required-property-removed`, `the required member ${name} was removed`]
    : [`${direction}-property-removed`, `the member ${name} is no longer described`];
}

/** Returns whether every object that a schema allows has the member. */
function isPromised(context: Context, { at, required }: Members, name: string): boolean {
  const { pool, contains } = context.containments;
  if (!context.vacant[at.side])
    return contains(pool.intern({ required: [name] }), nodeAt(pool, at)).holds === 'yes';
  // A member that is required but rejected is neither sent nor returned.
  return required.has(name) && (context.direction === 'request' || isAccepted(context, at, name));
}

/** Returns whether some object that the schema allows has the member. */
function isAccepted(context: Context, at: SchemaAt, name: string): boolean {
  const { pool, contains } = context.containments;
  const lacks = pool.intern({ type: 'object', not: { required: [name] } });
  const objects = pool.intern({ anyOf: [{ not: { type: 'object' } }, lacks.schema] });
  const node = context.vacant[at.side] ? namesNode(context, at) : nodeAt(pool, at);
  return contains(objects, node).holds !== 'yes';
}

/** Returns a node with only the constraints on member names. */
function namesNode({ models, containments: { pool } }: Context, at: SchemaAt): Node {
  const pieces = flatten(models, at)
    .flatMap(piecesOf)
    .filter(({ aspect }) => aspect === 'additional' || aspect === 'property-names');
  return pool.intern({
    allOf: pieces.map(({ schema }) => pool.of(at.side, schema).schema as Json),
  });
}
