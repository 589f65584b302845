import type { ExampleModel } from '../../model/model.ts';
import type { Change } from '../change.ts';
import { matchByKey, reportOf, type MethodPair } from './context.ts';
import { isSame } from '../../containment/canonical.ts';

/** Changes of a method's examples, matched by name. */
export function compareExamples(pair: MethodPair): readonly Change[] {
  const report = reportOf(pair, 'examples');
  const [old, fresh] = [withNames(pair.old.examples), withNames(pair.new.examples)];
  const { removed, added, kept } = matchByKey(old, fresh, ({ name }) => name);
  return [
    ...added.map(({ name }) => report('example-added', `has a new example, "${name}"`)),
    ...removed.map(({ name }) => report('example-removed', `no longer has the example "${name}"`)),
    ...kept
      .filter((each) => !isSame(each.old.content, each.new.content))
      .map(({ old: { name } }) => report('example-changed', `has a different example "${name}"`)),
  ];
}

/** Returns the names and contents of examples; examples with the same name are numbered. */
function withNames(examples: readonly ExampleModel[]) {
  const names = new Set<string>();
  return examples.map((example) => {
    let name = example.name;
    for (let count = 2; names.has(name); count += 1) name = `${example.name} (${count})`;
    names.add(name);
    return { name, content: contentOf(example) };
  });
}

function contentOf({ params, result, summary, description, extensions }: ExampleModel) {
  const value = (each: { name: string; value?: unknown } | null) =>
    each === null ? null : [each.name, each.value ?? null];
  return [params.map(value), value(result), summary, description, extensions];
}
