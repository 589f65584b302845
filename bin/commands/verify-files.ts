import { glob, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, type Json } from '../../common/json/value.ts';
import { readExpected, type ExpectedFailure } from '../../generator/verify/expected.ts';
import { readFixtures, type Fixture } from '../../generator/verify/fixtures.ts';
import { parseText } from '../../generator/verify/message.ts';
import { misuse } from './verb.ts';

/** Returns the value in a JSON file; undefined if it is not JSON. */
async function readJson(file: string): Promise<Json | undefined> {
  return parseText(await readFile(file, 'utf8'));
}

export async function readSeeds(file: string): Promise<Readonly<Record<string, readonly Json[]>>> {
  const seeds = await readJson(file);
  if (isObject(seeds) && Object.values(seeds).every((values) => Array.isArray(values))) {
    return seeds as Readonly<Record<string, readonly Json[]>>;
  }
  const fix =
    'write an object that maps component schemas to arrays of values: {"Hash32": ["0x…"]}';
  throw misuse(`${file}: invalid seeds file`, fix);
}

export async function readExpectedFailures(
  file: string | undefined,
): Promise<readonly ExpectedFailure[]> {
  if (file === undefined) return [];
  const expected = readExpected((await readJson(file)) ?? null);
  if (expected !== undefined) return expected;
  const fix =
    'write an array of {"check", "method", "reason"}, with "params" for a single call; method is null for protocol checks';
  throw misuse(`${file}: invalid file of expected failures`, fix);
}

/** Maximum number of files of recorded requests. */
const MAX_FILES = 10_000;

export async function readFixtureFiles(folder: string): Promise<readonly Fixture[]> {
  await stat(folder);
  const files: string[] = [];
  for await (const file of glob('**/*.io', { cwd: folder })) {
    if (files.push(file) === MAX_FILES) break;
  }
  const fixtures: Fixture[] = [];
  for (const file of files.toSorted()) {
    const read = readFixtures(join(folder, file), await readFile(join(folder, file), 'utf8'));
    if (typeof read === 'string') throw misuse(read, 'write one message per line');
    fixtures.push(...read);
  }
  if (fixtures.length > 0) return fixtures;
  throw misuse(`no recorded requests in ${folder}`, 'pass a folder of .io files to --fixtures');
}
