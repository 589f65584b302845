import { _ } from 'ajv/dist/compile/codegen/index.js';
import standalone from 'ajv/dist/standalone/index.js';
import { isObject, type Schema } from '../../json/value.ts';
import { walkSchemas } from '../../schema/subschemas.ts';
import { createAjv } from '../../violations/create-ajv.ts';

/** A schema to compile: in the dialect of `toDialect`, referring to others by their id. */
export interface CompilerInput {
  readonly id: string;
  readonly schema: Schema;
}

/**
 * Compiles schemas to the text of an ES module's body: one function per schema that is wanted or
 * referred to, shared by all who refer to it, and a constant for each id that is `wanted`. The text
 * calls for `append`, `duplicate`, `equal`, `formats`, `pattern` and `ucs2length`.
 *
 * @throws Error naming the schema when Ajv cannot compile it
 */
export function compileSchemas(
  inputs: readonly CompilerInput[],
  wanted: readonly string[],
): string {
  const ajv = createAjv({
    ownProperties: mentionsInherited(inputs),
    code: { source: true, esm: true, lines: true, formats: _`formats` },
  });
  for (const { id, schema } of inputs) {
    ajv.addSchema(schema as object, id);
    // Makes the path in an error say which schema it is of.
    ajv.schemas[id]!.schemaPath = `${id}#`;
  }
  return tidy(standalone.default(ajv, Object.fromEntries(wanted.map((id) => [id, id]))));
}

/** True when a property is called like one that every object inherits, such as "constructor". */
function mentionsInherited(inputs: readonly CompilerInput[]): boolean {
  const roots = inputs.map(({ schema }) => ({ schema, holder: [], key: 0, pointer: '' }));
  for (const { schema } of walkSchemas(roots)) {
    if (!isObject(schema)) continue;
    const required = Array.isArray(schema['required']) ? schema['required'] : [];
    const named = ['properties', 'dependencies'].flatMap((keyword) => {
      const map = schema[keyword];
      return isObject(map) ? Object.keys(map) : [];
    });
    if ([...named, ...required].some((name) => String(name) in Object.prototype)) return true;
  }
  return false;
}

/** Leaves out what a module needs not say, and takes Ajv's helpers from our own run time. */
function tidy(code: string): string {
  const named = code
    .replace(/^"use strict";\n?/, '')
    .replaceAll(/^export const /gm, 'const ')
    .replaceAll(/require\("ajv\/dist\/runtime\/(\w+)"\)\.default/g, '$1');
  const names = named.matchAll(/^const (schema\d+) = /gm);
  const unused = [...names].filter(
    ([, name]) => named.split(new RegExp(`\\b${name}\\b`)).length < 3,
  );
  const lines = new Set(unused.map(([start]) => start));
  return named
    .split('\n')
    .filter((line) => !lines.has(/^const schema\d+ = /.exec(line)?.[0] ?? ''))
    .join('\n');
}
