import { expect, test } from 'vitest';
import type { PlainDocument } from '../../bench/diff/corpus.ts';
import { evaluate, makeSubject } from '../../bench/verify/evaluate.ts';
import { shop } from '../generator/verify/shop.ts';

/** Phases that find the defects chosen here need no more. */
const MAX_CALLS = 700;

const subject = await makeSubject(structuredClone(shop) as unknown as PlainDocument, 1);

test('broken servers of every kind are made from a document', () => {
  const names = subject.defects.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const part of ['ids', 'batch', 'key', 'charged', 'remove pattern', 'a missing member']) {
    expect(names.join('\n')).toContain(part);
  }
  expect(names.length).toBeGreaterThan(60);
  expect(subject.odd.length).toBeGreaterThanOrEqual(10);
});

test('a sample of the broken servers is found, and of the odd ones none is accused', async () => {
  const defects = subject.defects.filter((_, index) => index % 18 === 0);
  const wrong: string[] = [];
  const odd = subject.odd.filter((_, index) => index % 3 === 0);
  const chosen = { ...subject, defects, odd };
  for await (const { name, isDefect, verify } of evaluate(chosen, {
    maxCalls: MAX_CALLS,
    seed: 1,
  })) {
    const { found } = verify;
    if (isDefect !== (found !== null)) wrong.push(`${name}: ${found ?? 'not found'}`);
  }
  expect(wrong).toEqual([]);
});

test('@open-rpc/test-coverage runs beside, without what it finds on a correct server', async () => {
  const isChosen = ({ name }: { readonly name: string }) =>
    name === 'the reference itself' || name.startsWith('a text instead of a number');
  const chosen = {
    ...subject,
    defects: subject.defects.filter(isChosen),
    odd: subject.odd.filter(isChosen),
  };
  const found: Record<string, boolean> = {};
  const options = { maxCalls: 1, seed: 1, besideTestCoverage: true };
  for await (const { name, testCoverage } of evaluate(chosen, options)) {
    found[name] = testCoverage!.found !== null;
  }
  expect(found).toEqual({
    'a text instead of a number in the result of get_item /price': true,
    'the reference itself': false,
  });
});
