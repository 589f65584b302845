import type { ExampleModel } from '../../model/model.ts';
import type { Change } from '../change.ts';
import { ofMethod, type MethodPair } from './context.ts';
import { isSame } from './equal.ts';

/** Changes of a method's examples, told apart by their names. */
export function compareExamples(pair: MethodPair): readonly Change[] {
  const old = byName(pair.old.examples);
  const fresh = byName(pair.new.examples);
  const tell = (kind: string, what: string) => ofMethod(pair, 'examples', { kind, what });
  const added = [...fresh.keys()].filter((name) => !old.has(name));
  const removed = [...old.keys()].filter((name) => !fresh.has(name));
  const changed = [...old].flatMap(([name, example]) => {
    const other = fresh.get(name);
    return other === undefined || isSame(contentOf(example), contentOf(other)) ? [] : [name];
  });
  return [
    ...added.map((name) => tell('example-added', `has another example, "${name}"`)),
    ...removed.map((name) => tell('example-removed', `no longer has the example "${name}"`)),
    ...changed.map((name) =>
      tell('example-changed', `has another example under the name "${name}"`),
    ),
  ];
}

function byName(examples: readonly ExampleModel[]): ReadonlyMap<string, ExampleModel> {
  return new Map(examples.map((example) => [example.name, example]));
}

function contentOf({ params, result, summary, description, extensions }: ExampleModel) {
  const value = (each: { name: string; value?: unknown } | null) =>
    each === null ? null : [each.name, each.value ?? null];
  return [params.map(value), value(result), summary, description, extensions];
}
