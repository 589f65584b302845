/** Types of documents with many schemas in place, read by a person whenever they change. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Document } from '../support/document.ts';
import { temporaryFolder, typeErrors } from '../support/folder.ts';
import { renderLaidOut } from '../support/render.ts';

const folder = join(import.meta.dirname, '../documents/shapes');

describe.each(['blocks', 'devices'])('the types of %s', (name) => {
  let files: ReadonlyMap<string, string>;
  beforeAll(async () => {
    const text = readFileSync(join(folder, `${name}.yaml`), 'utf8');
    files = await renderLaidOut(parse(text) as Document, 'client', 'python');
  });
  const read = (end: string) => [...files].find(([path]) => path.endsWith(end))![1];

  test('in TypeScript', async () => {
    const calls = read('client/src/client.ts').match(/export interface RpcMethods[^]*?\n}\n/)![0];
    const types = `${read('client/src/types.ts')}\n${calls}`;
    await expect(types).toMatchFileSnapshot(join(folder, `${name}.ts.snap`));
  });

  test('in Python', async () => {
    await expect(read('/types.py')).toMatchFileSnapshot(join(folder, `${name}.py.snap`));
  });

  test('have the same names in both languages', () => {
    const namesIn = (text: string, form: RegExp) =>
      new Set([...text.matchAll(form)].map(([, each]) => each!));
    const typescript = namesIn(read('client/src/types.ts'), /^export (?:type|interface) (\w+)/gm);
    const python = namesIn(
      read('/types.py'),
      /^(?:class )?([A-Z]\w*)(?:\(|: TypeAlias| = Typed)/gm,
    );
    // Python has no types of params as a whole, and names the variants of intersections.
    const missing = [...typescript].filter((each) => !python.has(each));
    expect(missing.filter((each) => !/Params$|^Method(?:s|Name)$/.test(each))).toEqual([]);
  });

  test('compile', () => {
    const sources = [...files].filter(([path]) => path.endsWith('.ts'));
    const flags = sources.map(([path, text]): [string, string] => [path, text]);
    expect(typeErrors(temporaryFolder(flags))).not.toMatch(/types\.ts|client\.ts/);
  });
});
