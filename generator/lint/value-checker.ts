import { isIPv4, isIPv6 } from 'node:net';
import { isSchema, type Json, type JsonObject, type Schema } from '../../common/json/value.ts';
import { memberOf } from '../../common/json/pointer.ts';
import { componentOf } from '../model/type-names.ts';
import { objectAt } from '../schema/document-schemas.ts';
import { schemasIn } from '../schema/subschemas.ts';
import { toDialect } from '../violations/dialect.ts';
import { addSchema, createAjv, errorsOf } from '../violations/create-ajv.ts';
import { factsOf } from '../violations/facts.ts';
import {
  findingsOf,
  type CompiledValidator,
  type Facts,
  type Finding,
} from '../../common/validators-runtime/violations.js';

/** Returns the violations of a value, with paths into it; none if they cannot be determined. */
export interface ValueChecker {
  (schema: Schema, value: Json): readonly Finding[];
}

/** Violations reported per value. */
const MAX_FINDINGS = 5;

const ANYTHING = 'anything';

/**
 * Checks values against schemas of a bundled document. A schema that cannot be compiled is
 * treated as one that allows anything: other rules report it.
 */
export function createValueChecker(document: JsonObject): ValueChecker {
  const components = objectAt(objectAt(document, 'components'), 'schemas');
  const ajv = createAjv([{ id: ANYTHING, schema: true }], {
    formats,
    ownProperties: true,
  });
  const compiled = new Map<Schema, CompiledValidator | null>();
  /** The first schema with each text, so that equal schemas are compiled once. */
  const byText = new Map<string, Schema>();
  const facts: Record<string, Facts[string]> = {};
  const added = new Set<string>();
  /** Components that are compiled, with all they refer to. */
  const ready = new Set<string>();

  const idOf = (name: string) =>
    isSchema(memberOf(components, name)) ? `component-${name}` : ANYTHING;

  function add(id: string, schema: Schema): void {
    if (added.has(id)) return;
    added.add(id);
    const dialect = toDialect(schema, idOf);
    addSchema(ajv, { id, schema: dialect });
    for (const [path, fact] of factsOf(dialect, `${id}#`)) facts[path] = fact;
  }

  function compile(schema: Schema): CompiledValidator | null {
    const component = componentOf(schema);
    const id = component === null ? `checked-${compiled.size}` : idOf(component);
    try {
      const used = reach(schema, components, ready);
      for (const name of used) add(idOf(name), components[name] as Schema);
      if (component === null) add(id, schema);
      for (const name of used) ajv.getSchema(idOf(name));
      for (const name of used) ready.add(name);
      return ajv.getSchema(id) as CompiledValidator;
    } catch {
      return null;
    }
  }

  function compiledOf(schema: JsonObject): CompiledValidator | null {
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    const text = JSON.stringify(schema);
    const same = byText.get(text);
    if (same === undefined) byText.set(text, schema);
    const made = same === undefined ? compile(schema) : compiled.get(same)!;
    compiled.set(schema, made);
    return made;
  }

  return (schema, value) => {
    if (typeof schema === 'boolean') return schema ? [] : [NEVER];
    const validate = compiledOf(schema);
    const errors = validate === null ? null : errorsOf(validate, value);
    return errors === null ? [] : findingsOf(errors, { facts, value, most: MAX_FINDINGS });
  };
}

const NEVER_VALID = 'expected no value: the schema is false';

const NEVER: Finding = {
  path: '',
  keyword: 'false schema',
  expected: 'nothing',
  problem: NEVER_VALID,
  what: NEVER_VALID,
  meant: null,
};

/** Returns the components that a schema needs, directly or indirectly, except those that are ready. */
function reach(
  schema: Schema,
  components: JsonObject,
  ready: ReadonlySet<string>,
): ReadonlySet<string> {
  const reached = new Set<string>();
  const ahead: Schema[] = [schema];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    for (const each of schemasIn(next)) {
      const name = componentOf(each);
      if (name === null || reached.has(name) || ready.has(name)) continue;
      const component = memberOf(components, name);
      if (!isSchema(component)) continue;
      reached.add(name);
      ahead.push(component);
    }
  }
  return reached;
}

const DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const TIME =
  /^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** The formats of draft-07, and uuid, whose violations are certain. */
const formats = {
  date: (text: string) => DATE.test(text),
  'date-time': (text: string) =>
    DATE.test(text.slice(0, 10)) && /^[Tt ]/.test(text.slice(10)) && TIME.test(text.slice(11)),
  uri: (text: string) => URL.canParse(text),
  ipv4: (text: string) => isIPv4(text),
  ipv6: (text: string) => isIPv6(text),
  uuid: (text: string) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
  email: (text: string) => /^[^\s@]+@[^\s@]+$/.test(text),
};
