import type { Containments } from '../../containment/containment.ts';
import type { Node, Side } from '../../containment/pool.ts';
import { isObject, type Json, type JsonObject } from '../../../common/json/value.ts';
import type { Direction, SchemaFinding } from './finding.ts';
import { piecesOf } from './pieces.ts';
import { below, flatten, nodeAt, type Models, type SchemaAt } from './place.ts';
import type { Pair } from './question.ts';

export interface MemberChanges {
  readonly findings: readonly SchemaFinding[];
  /** The members that have findings. */
  readonly handled: ReadonlySet<string>;
}

interface Context {
  readonly models: Models;
  readonly containments: Containments;
  readonly direction: Direction;
  /** False where no change of the schema can break a call. */
  readonly mayBreak: boolean;
  /** Under which of the two schemas no value at all is valid. */
  readonly vacant: Readonly<Record<Side, boolean>>;
}

/** The members that one of two schemas names and the other does not. */
export function compareMembers(context: Context, pair: Pair): MemberChanges {
  const [old, fresh] = [membersAt(context, pair.old), membersAt(context, pair.new)];
  if (old === null || fresh === null) return { findings: [], handled: new Set() };
  const added = [...fresh.places.keys()].filter((name) => !old.places.has(name));
  const removed = [...old.places.keys()].filter((name) => !fresh.places.has(name));
  return {
    findings: [
      ...added.map((name) => describeAdded(context, pair, { name, old, fresh })),
      ...removed.map((name) => describeRemoved(context, pair, { name, old, fresh })),
    ],
    handled: new Set([...added, ...removed]),
  };
}

interface Members {
  readonly places: ReadonlyMap<string, SchemaAt>;
  readonly required: ReadonlySet<string>;
}

/** The members a schema names; null for one that is not of objects. */
function membersAt({ models }: Context, at: SchemaAt): Members | null {
  const parts = flatten(models, at).filter(
    ({ schema }) => isObject(schema['properties']) || mayBeObject(schema),
  );
  if (parts.length === 0) return null;
  const places = parts.flatMap((part) =>
    Object.keys((part.schema['properties'] ?? {}) as JsonObject).flatMap((name) =>
      below(part, 'properties', name).map((place) => [name, place] as const),
    ),
  );
  const required = parts.flatMap(({ schema }) => (schema['required'] ?? []) as readonly string[]);
  return { places: new Map(places), required: new Set(required) };
}

function mayBeObject(schema: JsonObject): boolean {
  const { type } = schema;
  return (
    type === 'object' || (Array.isArray(type) && (type as readonly unknown[]).includes('object'))
  );
}

interface Named {
  readonly name: string;
  readonly old: Members;
  readonly fresh: Members;
}

function describeAdded(context: Context, pair: Pair, { name, old, fresh }: Named): SchemaFinding {
  const place = fresh.places.get(name)!;
  const isRequired = fresh.required.has(name);
  const common = { old: pair.old.pointer, new: place.pointer, after: place.schema };
  if (context.direction === 'request') {
    return isRequired && !isPromised(context, pair.old, { name, members: old })
      ? {
          ...common,
          kind: 'request-required-property-added',
          what: `the member ${name} was added, and has to be given`,
        }
      : { ...common, kind: 'request-property-added', what: `the member ${name} may be given` };
  }
  if (context.mayBreak && !isAccepted(context, pair.old, name)) {
    return {
      ...common,
      kind: 'response-property-added-to-closed',
      what: `there is a member ${name}, where the older document allows no other`,
    };
  }
  return isRequired
    ? {
        ...common,
        kind: 'response-required-property-added',
        what: `there is always a member ${name}`,
      }
    : { ...common, kind: 'response-property-added', what: `there may be a member ${name}` };
}

function describeRemoved(context: Context, pair: Pair, { name, old, fresh }: Named): SchemaFinding {
  const place = old.places.get(name)!;
  const common = { old: place.pointer, new: pair.new.pointer, before: place.schema };
  const wasRequired = old.required.has(name);
  if (context.direction === 'response') {
    const isKept = isPromised(context, pair.new, { name, members: fresh });
    return wasRequired && !isKept
      ? {
          ...common,
          kind: 'response-required-property-removed',
          what: `the member ${name}, which was always there, is gone`,
        }
      : { ...common, kind: 'response-property-removed', what: `the member ${name} is gone` };
  }
  if (context.mayBreak && !isAccepted(context, pair.new, name)) {
    return { ...common, kind: 'request-property-refused', what: `the member ${name} is refused` };
  }
  return wasRequired
    ? {
        ...common,
        kind: 'request-required-property-removed',
        what: `the member ${name}, which had to be given, is gone`,
      }
    : {
        ...common,
        kind: 'request-property-removed',
        what: `the member ${name} is no longer described`,
      };
}

interface Asked {
  readonly name: string;
  readonly members: Members;
}

/** True when every object that the schema allows has the member. */
function isPromised(context: Context, at: SchemaAt, { name, members }: Asked): boolean {
  const { pool, contains } = context.containments;
  if (!context.vacant[at.side])
    return contains(pool.intern({ required: [name] }), nodeAt(pool, at)).holds === 'yes';
  // A caller could not give what a schema asks for and refuses; no result has it either.
  const isAsked = members.required.has(name);
  return isAsked && (context.direction === 'request' || isAccepted(context, at, name));
}

/** True when some object that the schema allows has the member. */
function isAccepted(context: Context, at: SchemaAt, name: string): boolean {
  const { pool, contains } = context.containments;
  const lacks = pool.intern({ type: 'object', not: { required: [name] } });
  const objects = pool.intern({ anyOf: [{ not: { type: 'object' } }, lacks.schema] });
  const node = context.vacant[at.side] ? namesNode(context, at) : nodeAt(pool, at);
  return contains(objects, node).holds !== 'yes';
}

/** What a schema says of the names of members, and nothing else. */
function namesNode({ models, containments: { pool } }: Context, at: SchemaAt): Node {
  const pieces = flatten(models, at)
    .flatMap(piecesOf)
    .filter(({ aspect }) => aspect === 'additional' || aspect === 'property-names');
  return pool.intern({
    allOf: pieces.map(({ schema }) => pool.of(at.side, schema).schema as Json),
  });
}
