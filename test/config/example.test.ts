import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };
import {
  configJsonSchema,
  renderJsonSchema,
  type JsonSchema,
} from '../../src/config/json-schema.ts';
import { defaultLimits } from '../../src/config/limits.ts';
import { readConfig } from '../../src/config/read-config.ts';
import { checkConfig } from '../../src/main/check-config.ts';
import { protocol } from '../../src/main/dependencies.ts';

const read = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), 'utf8');
const example = read('specgate.example.yaml');
/** The example with the settings it leaves out. */
const whole = example.replaceAll(/^( *)#(?=[a-z]\w*:)/gm, '$1');
const env = { NODE_TOKEN: 'token', ACME_KEY: 'sg-0123456789abcdef' };

/** Paths of settings, lists without their indices and records without their names. */
function settingsOf(schema: JsonSchema, path = ''): string[] {
  const { properties, items, additionalProperties } = schema;
  const own = Object.entries(properties ?? {}).flatMap(([name, value]) => [
    `${path}.${name}`,
    ...settingsOf(value, `${path}.${name}`),
  ]);
  const inner = [items, additionalProperties].filter((value) => typeof value === 'object');
  return [...own, ...inner.flatMap((value) => settingsOf(value, `${path}[]`))];
}

function pathsIn(value: unknown, schema: JsonSchema | undefined, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    return value.flatMap((item) => pathsIn(item, schema?.items, `${path}[]`));
  }
  return Object.entries(value).flatMap(([name, item]) => {
    const known = schema?.properties?.[name];
    if (known === undefined)
      return pathsIn(item, schema?.additionalProperties as never, `${path}[]`);
    return [`${path}.${name}`, ...pathsIn(item, known, `${path}.${name}`)];
  });
}

describe('the schema of the configuration', () => {
  it('is the one the reader keeps to: `specgate serve --print-schema > specgate.schema.json` writes it anew', () => {
    expect(read('specgate.schema.json')).toBe(renderJsonSchema());
  });

  it('says of every setting but the plainest what it is for, and refuses unknown ones', () => {
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(configJsonSchema());
    expect(validate({ ...(parse(example) as object), stroe: 'x' })).toBe(false);
    for (const [name, { description, default: value }] of Object.entries(
      configJsonSchema().properties!['limits']!.properties!,
    )) {
      expect(description, name).toMatch(/\w.*\.$/);
      expect(value, name).toBe(defaultLimits[name as keyof typeof defaultLimits]);
    }
  });
});

describe('the annotated example', () => {
  it('is a configuration that works, with the variables it names', () => {
    const config = readConfig(example, 'specgate.example.yaml', env);
    expect(checkConfig(config, protocol)).toEqual([]);
    expect(() => readConfig(example, 'specgate.example.yaml', {})).toThrow(/NODE_TOKEN is not set/);
  });

  it('keeps to the schema that its first line names, as it is and with all it leaves out', () => {
    expect(example.split('\n')[0]).toBe('# yaml-language-server: $schema=./specgate.schema.json');
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(configJsonSchema());
    for (const text of [example, whole]) {
      expect(validate(parse(text)), JSON.stringify(validate.errors)).toBe(true);
    }
  });

  it('has every setting there is', () => {
    const schema = configJsonSchema();
    const shown = new Set(pathsIn(parse(whole), schema));
    // A partner is an upstream, and is shown by its address.
    const missing = settingsOf(schema).filter(
      (path) => !shown.has(path) && !path.startsWith('.networks[].partner.'),
    );
    expect(missing).toEqual([]);
  });

  it('shows every limit with its default', () => {
    expect((parse(whole) as { limits: object }).limits).toEqual({ ...defaultLimits });
  });

  it('is shipped with the package, beside the schema', () => {
    expect(manifest.files).toEqual(
      expect.arrayContaining(['specgate.example.yaml', 'specgate.schema.json']),
    );
  });
});
