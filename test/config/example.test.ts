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
import { defaultLimits, publicLimits } from '../../src/config/limits.ts';
import { readConfig } from '../../src/config/read-config.ts';
import { checkConfig } from '../../src/main/load-config.ts';
import { protocol } from '../../src/main/dependencies.ts';

const read = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), 'utf8');
const example = read('specgate.example.yaml');
/** The example with all settings uncommented. */
const whole = example.replaceAll(/^( *)#(?=[a-z]\w*:)/gm, '$1');
const env = { NODE_TOKEN: 'token', ACME_KEY: 'sg-0123456789abcdef' };

/** Returns the paths of all settings, without list indices and record names. */
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
  it('is up to date: `npm run generate` writes it', () => {
    expect(read('specgate.schema.json')).toBe(renderJsonSchema());
  });

  it('describes every limit and rejects unknown settings', () => {
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
  it('is a valid configuration with its variables set', () => {
    const config = readConfig(example, 'specgate.example.yaml', env);
    expect(checkConfig(config, protocol)).toEqual([]);
    expect(() => readConfig(example, 'specgate.example.yaml', {})).toThrow(/NODE_TOKEN is not set/);
  });

  it('is valid for the schema that its first line names, also with all settings uncommented', () => {
    expect(example.split('\n')[0]).toBe('# yaml-language-server: $schema=./specgate.schema.json');
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(configJsonSchema());
    for (const text of [example, whole]) {
      expect(validate(parse(text)), JSON.stringify(validate.errors)).toBe(true);
    }
  });

  it('has every setting', () => {
    const schema = configJsonSchema();
    const shown = new Set(pathsIn(parse(whole), schema));
    // A partner is an upstream, and is shown by its address.
    const missing = settingsOf(schema).filter(
      (path) => !shown.has(path) && !path.startsWith('.networks[].partner.'),
    );
    expect(missing).toEqual([]);
  });

  it('shows every public limit with its default', () => {
    const names = Object.keys(publicLimits) as (keyof typeof publicLimits)[];
    const defaults = Object.fromEntries(names.map((name) => [name, defaultLimits[name]]));
    expect((parse(whole) as { limits: object }).limits).toEqual(defaults);
  });

  it('is part of the package, as is the schema', () => {
    expect(manifest.files).toEqual(
      expect.arrayContaining(['specgate.example.yaml', 'specgate.schema.json']),
    );
  });
});
