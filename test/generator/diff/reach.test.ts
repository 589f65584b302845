import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { linkedDocument } from '../../../bench/docs/linked-document.ts';
import { diffDocuments } from '../../../generator/diff/diff.ts';
import { createReach } from '../../../generator/diff/schema/reach.ts';
import { DEFAULTS, toLoaded } from '../../../bench/diff/document.ts';
import { atScale, seedOfCases } from '../../support/soak.ts';

const seed = seedOfCases();
const NODES = 12;
const node = fc.nat(NODES - 1);
const cases = fc.record({
  next: fc.array(fc.array(node, { maxLength: 3 }), { minLength: NODES, maxLength: NODES }),
  starts: fc.array(fc.record({ root: fc.constantFrom('a', 'b', 'c', 'd'), node }), {
    maxLength: 6,
  }),
  asked: fc.array(node, { minLength: 1, maxLength: 3 }),
});

test(`nodes are reached from the roots that lead to one of them (seed ${seed})`, () => {
  const reaches = (
    next: readonly (readonly number[])[],
    from: number,
    asked: readonly number[],
  ) => {
    const seen = new Set([from]);
    // Iterating a set includes elements that are added meanwhile.
    for (const at of seen) for (const to of next[at]!) seen.add(to);
    return asked.some((each) => seen.has(each));
  };
  fc.assert(
    fc.property(cases, ({ next, starts, asked }) => {
      const expected = starts.filter((start) => reaches(next, start.node, asked));
      const roots = [...new Set(expected.map(({ root }) => root))];
      expect(createReach({ starts, next })(asked)).toEqual(roots);
    }),
    { seed, numRuns: atScale(20_000, 1000) },
  );
});

class CountingMap<K, V> extends Map<K, V> {
  reads = 0;
  override get(key: K): V | undefined {
    this.reads += 1;
    return super.get(key);
  }
}

/** Compares two versions of linked methods; returns how often a reference was followed. */
async function countReads(methods: number) {
  const text = linkedDocument(methods);
  const read = async (version: string) => {
    const loaded = await toLoaded(JSON.parse(version));
    const schemas = new CountingMap(loaded.model.schemas);
    return { ...loaded, model: { ...loaded.model, schemas } };
  };
  const old = await read(text.replaceAll('"maxLength":80', '"maxLength":70'));
  const fresh = await read(text);
  const { changes } = diffDocuments({ old, new: fresh }, DEFAULTS);
  expect(changes[0]).toMatchObject({ repeats: methods - 1 });
  expect(changes[0]!.methods).toHaveLength(methods);
  return old.model.schemas.reads;
}

test('references of methods that reach each other are followed once for all of them', async () => {
  const [few, many] = [await countReads(20), await countReads(40)];
  expect(many).toBeLessThan(3 * few);
});
