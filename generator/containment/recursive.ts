import type { Schema } from '../../common/json/value.ts';
import { toDialect } from '../violations/dialect.ts';
import { canonicalSchema } from './canonical.ts';

type Components = ReadonlyMap<string, Schema>;

/** Returns the components that do not lead to themselves, each after those that it uses. */
export function finiteIn(components: Components): readonly string[] {
  const users = new Map<string, string[]>();
  const open = new Map<string, number>();
  const finite: string[] = [];
  for (const [name, schema] of components) {
    const used = new Set<string>();
    toDialect(schema, (component) => `${used.add(component).size}`);
    const known = [...used].filter((each) => components.has(each));
    for (const each of known) users.set(each, [...(users.get(each) ?? []), name]);
    open.set(name, known.length);
    if (known.length === 0) finite.push(name);
  }
  // Iterating an array includes elements that are added meanwhile.
  for (const name of finite) {
    for (const user of users.get(name) ?? []) {
      const left = open.get(user)! - 1;
      open.set(user, left);
      if (left === 0) finite.push(user);
    }
  }
  return finite;
}

/** A component that leads to itself, or to one that does. */
export interface Recursive {
  readonly schema: Schema;
  /**
   * Returns what a reference of the component leads to: another recursive component, or a text for any
   * other.
   */
  readonly target: (name: string) => Recursive | string;
}

/**
 * Divides components of both documents into classes of equal ones, whatever their names: by their texts,
 * and then by the classes that they refer to, until the number of classes no longer grows. Returns their
 * numbers.
 */
export function classify(components: readonly Recursive[]): ReadonlyMap<Recursive, number> {
  let classes = new Map<Recursive, number>(components.map((each) => [each, 0]));
  let count = 0;
  // Each round but the last has more classes than the one before, and at most one per component.
  for (;;) {
    const numbers = new Map<string, number>();
    const next = new Map<Recursive, number>();
    for (const component of components) {
      const own = toDialect(component.schema, (name) => {
        const target = component.target(name);
        return typeof target === 'string' ? target : `class ${classes.get(target)!}`;
      });
      const text = `${classes.get(component)!} ${canonicalSchema(own)}`;
      const number = numbers.get(text) ?? numbers.size;
      numbers.set(text, number);
      next.set(component, number);
    }
    const isStable = numbers.size === count;
    classes = next;
    count = numbers.size;
    if (isStable) return classes;
  }
}
