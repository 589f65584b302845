import { isObject, type Json, type JsonObject } from '../../../common/json/value.ts';
import type { VerifiedMethod } from '../contract.ts';
import { callProbe } from '../message.ts';
import { structured } from '../params.ts';
import type { Phase } from '../phase.ts';
import type { Session } from '../session.ts';
import { otherTypes, textsNear } from '../variant-values.ts';

/** Number of calls of each method over each transport. */
const CALLS = 20;

/** Maximum number of characters of all these calls: params of very many members take long to make. */
const MAX_CHARACTERS = 2_000_000;

/** Fraction of calls whose params are damaged. */
const DAMAGED = 0.5;

/** Calls with random params, made from the schemas, half of them damaged at a random place. */
export const fuzz: Phase = {
  id: 'fuzz',
  title: 'random params, valid and mutated',
  async run(session) {
    let characters = 0;
    for (let round = 0; round < CALLS; round += 1) {
      for (const method of session.contract.methods) {
        if (method.params.length === 0) continue;
        for (const transport of session.transports) {
          const params = randomParams(session, method);
          if (params === undefined) continue;
          const says = { title: 'random params', id: session.nextId() };
          const probe = callProbe(method, params, says);
          await session.check(probe, transport);
          characters += probe.body.length;
          if (characters > MAX_CHARACTERS) return;
        }
      }
    }
  },
};

function randomParams({ seeds, random }: Session, method: VerifiedMethod): Json | undefined {
  const last = method.params.findLastIndex(({ required }) => required);
  const count = last + 1 + Math.floor(random() * (method.params.length - last));
  const values = method.params
    .slice(0, count)
    .map(({ schema }) => seeds.make(schema, random() < 0.5 ? [] : [String(random())]));
  if (values.includes(undefined)) return undefined;
  const params = structured(method, values as Json[]);
  return random() < DAMAGED ? damage(params, { random, isRoot: true }) : params;
}

interface Damage {
  readonly random: () => number;
  /** Whether the value is the whole params, which must stay an array or an object. */
  readonly isRoot?: boolean;
}

/** Returns a value with one change at a random place. */
function damage(value: Json, { random, isRoot = false }: Damage): Json {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  if (keys.length > 0 && (isRoot || random() < 0.8)) {
    const key = pick(keys);
    const inner = damage((value as JsonObject)[key]!, { random });
    return Array.isArray(value)
      ? value.map((each: Json, index) => (String(index) === key ? inner : each))
      : { ...(value as JsonObject), [key]: inner };
  }
  if (isRoot) return value;
  if (typeof value === 'string' && random() < 0.7) return pick(textsNear(value))[1];
  if (typeof value === 'number' && random() < 0.7)
    return pick([value + 1, -value - 1, value + 0.5]);
  if (isObject(value) && random() < 0.5) return { ...value, unknownMember: 1 };
  // Each method decides whether null counts as absent, so null is not tried at random.
  return pick(otherTypes(value).filter(([type]) => type !== 'null'))[1];
}
