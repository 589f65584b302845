import { beforeAll, describe, expect, test } from 'vitest';
import { loadTargets } from '../../generator/targets/index.ts';
import type { Model } from '../../generator/model/model.ts';
import { atScale } from '../support/soak.ts';
import { corpus, largeDocument } from './support/corpus.ts';
import { modelOf } from './support/document.ts';
import { evaluate, type Evaluation } from './support/evaluation.ts';
import { temporaryFolder, typeErrors, writeInto } from './support/folder.ts';

const targets = await loadTargets();

const METHODS = atScale(1000, 100);

const models = new Map<string, Model>();
const evaluations = new Map<string, Evaluation>();
let errors: readonly string[] = [];
let folder: string;

const of = (name: string) => errors.filter((line) => line.includes(`/${name}/`));

// An example of MetaMask's has none of the members that its schema names, all of them optional.
// TypeScript takes that for a mistake.
const KNOWN = /metamask\/evaluation\.ts.*'\\?"eth_accounts\\?"' does not exist in type 'Wallet/;

// One compiler run for the output of all targets and the values checked against their types.
beforeAll(async () => {
  folder = temporaryFolder();
  for (const { name, load } of corpus) {
    const model = await load();
    models.set(name, model);
    evaluations.set(name, evaluate(model));
    // Unformatted: formatting takes most of the time.
    for (const target of targets) {
      for (const [path, text] of await target.render(model, { source: `${name}.json` })) {
        writeInto(folder, `${name}/${path}`, text);
      }
    }
    writeInto(folder, `${name}/evaluation.ts`, evaluations.get(name)!.text);
  }
  errors = typeErrors(folder)
    .split('\n')
    .filter((line) => line !== '' && !KNOWN.test(line));
});

describe('what is generated for every document of the corpus', () => {
  test.each(corpus.map(({ name }) => name))(
    '%s compiles in strict mode, rejects wrong values and accepts the examples',
    (name) => {
      expect(of(name)).toEqual([]);
      const { refused } = evaluations.get(name)!;
      const hasSchemas = models.get(name)!.methods.length > 0;
      expect(refused.size > 0).toBe(hasSchemas);
    },
  );

  test('there are no other errors', () => {
    expect(errors).toEqual([]);
  });

  test('type names come from the documents, without numeric suffixes', () => {
    for (const { document, schemas, methods } of models.values()) {
      const text = JSON.stringify(document);
      const names = [...schemas.values(), ...methods].map(({ typeName }) => typeName);
      for (const name of names) {
        const number = /\d+$/.exec(name)?.[0];
        if (number !== undefined) expect(text, name).toContain(`${number}`);
        expect(names.filter((each) => each === name)).toHaveLength(1);
      }
    }
  });

  test('wrong values of every expressible kind were tried', () => {
    const keywords = new Set(
      [...evaluations.values()].flatMap(({ refused }) => [...refused.keys()]),
    );
    expect([...keywords].toSorted()).toEqual([
      'additionalItems',
      'additionalProperties',
      'const',
      'enum',
      'maxItems',
      'minItems',
      'required',
      'type',
    ]);
  });

  test('only the known example breaks its schema', () => {
    expect(evaluations.get('combined-json')!.broken).toEqual([
      'conditional, breaks its own schema: value',
      'conditional, breaks its own schema: r',
    ]);
    expect(evaluations.get('gateway')!.broken).toEqual([]);
    expect(evaluations.get('gateway')!.examples).toBeGreaterThan(50);
  });
});

test('recursion is followed to its end, from text to every file', async () => {
  const { load } = corpus.find(({ name }) => name === 'recursive-json')!;
  const model = await load();
  for (const target of targets) {
    expect((await target.render(model, { source: 'doc.json' })).size).toBeGreaterThan(0);
  }
});

test(`${METHODS} methods that refer to one another are rendered by all targets`, async () => {
  const model = await modelOf(largeDocument(METHODS));
  const files = new Map<string, string>();
  for (const target of targets) {
    for (const [path, text] of await target.render(model, { source: 'doc.json' })) {
      files.set(path, text);
    }
  }
  expect(files.get('types.ts')!.match(/^export type \w+Params = /gm)).toHaveLength(METHODS);
});
