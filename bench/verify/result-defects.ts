import { parseExact, printExact } from '../../common/json/exact.ts';
import { isObject, type Json, type JsonObject } from '../../common/json/value.ts';
import {
  resultSchemaOf,
  type Contract,
  type VerifiedMethod,
} from '../../generator/verify/contract.ts';
import type { Draw } from '../diff/mutation.ts';
import type { Variation } from './defect.ts';

type Path = readonly (string | number)[];

/** A way to break a value; undefined if it does not apply, null removes the member. */
interface Damage {
  readonly name: string;
  change(value: Json): { readonly value: Json } | 'remove' | undefined;
}

const onText = (name: string, pattern: RegExp, change: (text: string) => Json): Damage => ({
  name,
  change: (value) =>
    typeof value === 'string' && pattern.test(value) ? { value: change(value) } : undefined,
});

const damages: readonly Damage[] = [
  { name: 'a missing member', change: () => 'remove' },
  {
    name: 'null instead of a value',
    change: (value) => (value === null ? undefined : { value: null }),
  },
  onText('a hash of 31 bytes', /^0x[\da-f]{64}$/i, (text) => text.slice(0, -2)),
  onText('a text without its prefix', /^0x/, (text) => text.slice(2)),
  onText('a number instead of a quantity', /^0x[\da-f]{1,12}$/i, Number),
  onText('a leading zero', /^0x[1-9a-f]/i, (text) => text.replace('0x', '0x0')),
  onText('an object instead of a text', /./, (text) => ({ value: text })),
  onText('an empty text', /./, () => ''),
  {
    name: 'a text instead of a number',
    change: (value) => (typeof value === 'number' ? { value: String(value) } : undefined),
  },
  {
    name: 'a text instead of a boolean',
    change: (value) => (typeof value === 'boolean' ? { value: String(value) } : undefined),
  },
  {
    name: 'an object instead of an array',
    change: (value) => (Array.isArray(value) ? { value: { ...(value as Json[]) } } : undefined),
  },
  {
    name: 'an array instead of an object',
    change: (value) => (isObject(value) ? { value: [value] } : undefined),
  },
];

/** Places that each damage is applied to. */
const PLACES = 2;

/** Returns servers whose results of one method are invalid in one place. */
export function resultDefects(contract: Contract, draw: Draw): readonly Variation[] {
  const places = contract.methods.flatMap((method) => placesOf(method));
  return damages.flatMap((damage) => {
    const fitting = places.filter(({ method, params, result, path }) => {
      const damaged = damageAt(result, path, damage);
      if (damaged === undefined) return false;
      return contract.check(resultSchemaOf(method, params), damaged).length > 0;
    });
    const labels = new Set<string>();
    const defects: Variation[] = [];
    while (fitting.length > 0 && defects.length < PLACES) {
      const [place] = fitting.splice(Math.floor(draw.chance() * fitting.length), 1);
      const { method, path } = place!;
      const label = `${damage.name} in the result of ${method.name} /${path.join('/')}`;
      if (labels.has(method.name)) continue;
      labels.add(method.name);
      defects.push(breakResults(method, { path, damage, label }));
    }
    return defects;
  });
}

interface Break {
  readonly path: Path;
  readonly damage: Damage;
  readonly label: string;
}

function breakResults({ name }: VerifiedMethod, { path, damage, label }: Break): Variation {
  return {
    name: label,
    change: ({ call }) => ({
      call(each) {
        const value = call(each);
        if (each.method.name !== name || 'error' in value) return value;
        const damaged = damageAt(parseExact(value.result), path, damage);
        return damaged === undefined ? value : { result: printExact(damaged) };
      },
    }),
  };
}

interface Place {
  readonly method: VerifiedMethod;
  readonly params: Json;
  readonly result: Json;
  readonly path: Path;
}

function placesOf(method: VerifiedMethod): readonly Place[] {
  return method.examples.flatMap(({ params, result: text }) => {
    const result = text === undefined ? null : (JSON.parse(text) as Json);
    return [...pathsOf(result)].map((path) => ({ method, params, result, path }));
  });
}

/** Yields the path of every value; of the elements of an array, only the first. */
function* pathsOf(value: Json, path: Path = []): Generator<Path> {
  if (value === null) return;
  yield path;
  if (Array.isArray(value)) {
    if (value.length > 0) yield* pathsOf(value[0] as Json, [...path, 0]);
  } else if (isObject(value)) {
    for (const [key, each] of Object.entries(value)) yield* pathsOf(each, [...path, key]);
  }
}

function damageAt(value: Json, [key, ...rest]: Path, damage: Damage): Json | undefined {
  if (key === undefined) {
    const changed = damage.change(value);
    return changed === undefined || changed === 'remove' ? undefined : changed.value;
  }
  const inner = (value as JsonObject | null)?.[key];
  if (inner === undefined) return undefined;
  const copy = structuredClone(value) as Record<string, Json>;
  if (rest.length === 0 && damage.change(inner) === 'remove') {
    if (Array.isArray(copy)) return undefined;
    delete copy[key];
    return copy;
  }
  const damaged = damageAt(inner, rest, damage);
  if (damaged === undefined) return undefined;
  copy[key] = damaged;
  return copy;
}
