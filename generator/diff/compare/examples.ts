import type { ExampleModel } from '../../model/model.ts';
import type { Change } from '../change.ts';
import { ofMethod, type MethodPair } from './context.ts';
import { isSame } from './equal.ts';

/** Changes of a method's examples, matched by name. */
export function compareExamples(pair: MethodPair): readonly Change[] {
  const old = byName(pair.old.examples);
  const fresh = byName(pair.new.examples);
  const toChange = (kind: string, what: string) => ofMethod(pair, 'examples', { kind, what });
  const added = [...fresh.keys()].filter((name) => !old.has(name));
  const removed = [...old.keys()].filter((name) => !fresh.has(name));
  const changed = [...old].flatMap(([name, example]) => {
    const other = fresh.get(name);
    return other === undefined || isSame(contentOf(example), contentOf(other)) ? [] : [name];
  });
  return [
    ...added.map((name) => toChange('example-added', `has another example, "${name}"`)),
    ...removed.map((name) => toChange('example-removed', `no longer has the example "${name}"`)),
    ...changed.map((name) =>
      toChange('example-changed', `has another example under the name "${name}"`),
    ),
  ];
}

/** Examples with the same name are matched by order. */
function byName(examples: readonly ExampleModel[]): ReadonlyMap<string, ExampleModel> {
  const named = new Map<string, ExampleModel>();
  for (const example of examples) {
    let name = example.name;
    for (let count = 2; named.has(name); count += 1) name = `${example.name} (${count})`;
    named.set(name, example);
  }
  return named;
}

function contentOf({ params, result, summary, description, extensions }: ExampleModel) {
  const value = (each: { name: string; value?: unknown } | null) =>
    each === null ? null : [each.name, each.value ?? null];
  return [params.map(value), value(result), summary, description, extensions];
}
