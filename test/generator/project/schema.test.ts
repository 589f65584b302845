import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import manifest from '../../../package.json' with { type: 'json' };
import { readProject } from '../../../generator/project/read.ts';
import { parseSource } from '../../../generator/source/parse.ts';
import { renderProjectSchema } from '../../../generator/project/schema.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

const validate = new Ajv({ strict: false, validateFormats: false }).compile(
  JSON.parse(renderProjectSchema()) as object,
);

test('the schema of the project file is up to date and in the package: `npm run generate` writes it', () => {
  expect(read('specgate.config.schema.json')).toBe(renderProjectSchema());
  expect(manifest.files).toContain('specgate.config.schema.json');
  expect(read('specgate.config.yaml')).toMatch(
    /^# yaml-language-server: \$schema=\.\/specgate\.config\.schema\.json\n/,
  );
});

test('it accepts the project files of the documentation, and refuses unknown settings', () => {
  const pages = ['configuration', 'lint', 'diff', 'coming-from'].map((name) =>
    read(`docs-site/content/toolchain/${name}.md`),
  );
  const files = pages
    .flatMap((page) => [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, yaml]) => yaml!))
    .filter((yaml) => /^(?:documents|lint|diff):/m.test(yaml));
  expect(files.length).toBeGreaterThan(3);
  for (const text of [...files, read('specgate.config.yaml')]) {
    expect([validate(parse(text)), validate.errors]).toEqual([true, null]);
  }
  expect(validate({ documents: [{ document: 'a.json', outt: 'b' }] })).toBe(false);
});

test('a project file in JSON may name its schema', () => {
  const text = '{"$schema":"./specgate.config.schema.json","documents":[{"document":"a.json"}]}';
  const name = 'specgate.config.json';
  expect(readProject(parseSource({ name, url: `file:///${name}`, text })).documents).toMatchObject([
    { document: 'a.json' },
  ]);
});
