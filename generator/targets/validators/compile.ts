import { escapeScript } from '../../../common/escape/script.ts';
import type { Ajv } from 'ajv';
import { _, nil } from 'ajv/dist/compile/codegen/index.js';
import type { SchemaEnv } from 'ajv/dist/compile/index.js';
import { isObject } from '../../../common/json/value.ts';
import { walkSchemas } from '../../schema/subschemas.ts';
import { createAjv, type CompilerInput } from '../../violations/create-ajv.ts';
import { orderByUse } from './order.ts';

export interface CompiledSchemas {
  /** Body of an ES module: a function per schema, and the constants they use. */
  readonly code: string;
  /** The name of the function, by the id of the schema. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Compiles the schemas that are wanted and those they refer to, one function each, shared by all who
 * refer to it. The code calls for `append`, `duplicate`, `equal`, `formats`, `pattern` and
 * `ucs2length`.
 *
 * @throws Error when Ajv cannot compile a schema
 */
export function compileSchemas(
  inputs: readonly CompilerInput[],
  wanted: readonly string[],
): CompiledSchemas {
  const ordered = orderByUse(inputs, wanted);
  const ajv = createAjv(ordered, {
    ownProperties: mentionsInherited(inputs),
    code: { source: true, lines: true, formats: _`formats` },
  });
  return printFunctions(
    ajv,
    ordered.map(({ id }) => id),
  );
}

// Ajv's own printer nests as deep as schemas refer to one another; functions of a module need not.
function printFunctions(ajv: Ajv, ids: readonly string[]): CompiledSchemas {
  const used = {};
  const names = new Map<string, string>();
  const parts = ids.map((id) => {
    const { validateName, validateCode, scopeValues } = ajv.getSchema(id)!.source!;
    names.set(id, String(validateName));
    const constants = ajv.scope.scopeCode(scopeValues, used, (name) => {
      if (name.prefix !== 'wrapper') return nil;
      // A schema that was not compiled yet when it was referred to is called through an object.
      const target = name.value?.ref as SchemaEnv;
      return _`const ${name} = {validate: ${target.validateName!}};`;
    });
    return `${constants}${validateCode}\n`;
  });
  // Of hidden characters, Ajv escapes the line terminators only.
  return { code: escapeScript(tidy(parts.join('\n'))), names };
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

/** Leaves out constants nobody uses, and takes Ajv's helpers from our own run time. */
function tidy(code: string): string {
  const named = code.replaceAll(/require\("ajv\/dist\/runtime\/(\w+)"\)\.default/g, '$1');
  const uses = new Map<string, number>();
  for (const [name] of named.matchAll(/\bschema\d+\b/g)) uses.set(name, (uses.get(name) ?? 0) + 1);
  return named.replaceAll(/^const (schema\d+) = .*\n/gm, (line, name: string) =>
    uses.get(name) === 1 ? '' : line,
  );
}
