import { escapeScript } from '../../../common/escape/script.ts';
import type { Ajv } from 'ajv';
import { _, type ScopeValueSets, type ValueScopeName } from 'ajv/dist/compile/codegen/index.js';
import type { SchemaEnv } from 'ajv/dist/compile/index.js';
import { isObject } from '../../../common/json/value.ts';
import { stringsAt } from '../../model/member.ts';
import { objectAt } from '../../schema/document-schemas.ts';
import { schemasIn } from '../../schema/subschemas.ts';
import { createAjv, type CompilerInput } from '../../violations/create-ajv.ts';
import type { Plan } from './plan.ts';

interface CompiledSchemas {
  /** Body of an ES module: a function per schema and the constants they use. */
  readonly code: string;
  /** Function names by schema id. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Compiles the used schemas of a plan to one function each. The code calls `append`, `countCall`,
 * `duplicate`, `equal`, `formats`, `memberCount`, `pattern` and `ucs2length`.
 *
 * @throws Error when Ajv cannot compile a schema
 */
export function compileSchemas({ inputs, used }: Plan): CompiledSchemas {
  const ajv = createAjv(used, {
    ownProperties: mentionsInherited(inputs),
    // The functions are printed and never called: what Ajv passes to V8 is a stub.
    code: {
      source: true,
      optimize: true,
      lines: true,
      formats: _`formats`,
      process: () => 'return () => true',
    },
  });
  return printFunctions(
    ajv,
    used.map(({ id }) => id),
  );
}

// Ajv's own printer recurses as deeply as schemas refer to one another, and copies the constants so far for
// each constant.
function printFunctions(ajv: Ajv, ids: readonly string[]): CompiledSchemas {
  const declared = new Set<ValueScopeName>();
  const names = new Map<string, string>();
  const parts = ids.map((id) => {
    const { validateName, validateCode, scopeValues } = ajv.getSchema(id)!.source!;
    names.set(id, String(validateName));
    const constants = namesIn(scopeValues).filter((name) => !declared.has(name));
    for (const name of constants) declared.add(name);
    return `${constants.map(declare).join('')}${validateCode}\n`;
  });
  // Part by part: the lines of thousands of schemas would take much memory at once.
  const named = parts.map(nameHelpers);
  const unused = unusedConstants(named);
  // Ajv itself escapes only line terminators.
  const printed = named.map((part) => indent(escapeScript(withoutConstants(part, unused))));
  return { code: printed.join('\n'), names };
}

function namesIn(values: ScopeValueSets): readonly ValueScopeName[] {
  return Object.values(values).flatMap((names) => [...(names ?? [])]);
}

function declare(name: ValueScopeName): string {
  const { code, ref } = name.value!;
  if (code !== undefined) return `const ${String(name)} = ${String(code)};\n`;
  if (name.prefix !== 'wrapper') return '\n';
  // In a cycle, a schema that is not compiled yet is called through an object.
  return `const ${String(name)} = {validate: ${String((ref as SchemaEnv).validateName!)}};\n`;
}

/** Indents blocks. Ajv prints a statement on each line, and a string never spans lines. */
function indent(code: string): string {
  let depth = 0;
  const lines = code.split('\n').map((line) => {
    if (line.startsWith('}')) depth -= 1;
    const indented = line === '' ? '' : '  '.repeat(Math.max(0, depth)) + line;
    if (line.endsWith('{')) depth += 1;
    return indented;
  });
  return lines.join('\n');
}

/** Checks whether any property has the name of an inherited one, such as "constructor". */
function mentionsInherited(inputs: readonly CompilerInput[]): boolean {
  for (const schema of inputs.flatMap((input) => [...schemasIn(input.schema)])) {
    if (!isObject(schema)) continue;
    const keywords = ['properties', 'dependencies'];
    const named = keywords.flatMap((keyword) => Object.keys(objectAt(schema, keyword)));
    const names = [...named, ...stringsAt(schema, 'required')];
    if (names.some((name) => name in Object.prototype)) return true;
  }
  return false;
}

/** Replaces Ajv's helpers with Specgate's runtime. */
function nameHelpers(code: string): string {
  return code.replaceAll(/require\("ajv\/dist\/runtime\/(\w+)"\)\.default/g, '$1');
}

/** Returns the names of the constants that are declared and not used. */
function unusedConstants(parts: readonly string[]): ReadonlySet<string> {
  const unused = new Set<string>();
  const seen = new Set<string>();
  for (const part of parts) {
    for (const [name] of part.matchAll(/\bschema\d+\b/g)) {
      if (seen.has(name)) unused.delete(name);
      else unused.add(name);
      seen.add(name);
    }
  }
  return unused;
}

function withoutConstants(code: string, unused: ReadonlySet<string>): string {
  return code.replaceAll(/^const (schema\d+) = .*\n/gm, (line, name: string) =>
    unused.has(name) ? '' : line,
  );
}
