/** Evaluates one pair in a process of its own, so that its memory can be measured; prints JSON. */
import { evaluatePair } from './evaluate.ts';
import type { VersionPair } from './pairs.ts';

const [pair, search] = process.argv.slice(2).map((text) => JSON.parse(text) as unknown);
const result = await evaluatePair(
  pair as VersionPair,
  search as Parameters<typeof evaluatePair>[1],
);
console.log(JSON.stringify(result));
