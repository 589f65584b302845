import { isIPv4, isIPv6 } from 'node:net';
import {
  isObject,
  isSchema,
  type Json,
  type JsonObject,
  type Schema,
} from '../../common/json/value.ts';
import { componentOf } from '../model/type-names.ts';
import { objectAt } from '../schema/document-schemas.ts';
import { walkSchemas } from '../schema/subschemas.ts';
import { toDialect } from '../violations/dialect.ts';
import { createAjv } from '../violations/create-ajv.ts';
import { factsOf } from '../violations/facts.ts';
import {
  findingsOf,
  type CompiledValidator,
  type Facts,
  type Finding,
} from '../../common/validators-runtime/violations.js';
import { isRisky } from './rules/backtracking.ts';
import { usersOf } from './rules/schema-view.ts';
import { runWithin, TIMED_OUT } from './time-limit.ts';

/** What a value breaks, the path into the value with each; nothing where that cannot be told. */
export interface ValueChecker {
  (schema: Schema, value: Json): readonly Finding[];
}

/** How many findings of one value are told. */
const MAX_FINDINGS = 5;

/** For the check of one value; long enough for a machine that is busy with other things. */
const TIME_LIMIT_MS = 2000;

/** After so many checks that took too long, no schema that may do so is checked any more. */
const MAX_TIMEOUTS = 3;

const ANYTHING = 'anything';

/**
 * Checks values against schemas of a bundled document. A schema that cannot be compiled is taken for
 * one that allows anything: other rules tell what is wrong with it.
 */
export function createValueChecker(document: JsonObject): ValueChecker {
  const components = objectAt(objectAt(document, 'components'), 'schemas');
  const ajv = createAjv([{ id: ANYTHING, schema: true }], { formats, ownProperties: true });
  const compiled = new Map<Schema, Compiled | null>();
  /** The same by text: what is written in many places is compiled once. */
  const byText = new Map<string, Schema>();
  const facts: Record<string, Facts[string]> = {};
  const added = new Set<string>();
  const findRisk = createRiskFinder(components);
  /** Components that are compiled, with all they refer to. */
  const ready = new Set<string>();
  let timeouts = 0;

  const idOf = (name: string) => (isSchema(components[name]) ? `component-${name}` : ANYTHING);

  function add(id: string, schema: Schema): void {
    if (added.has(id)) return;
    added.add(id);
    const dialect = toDialect(schema, idOf);
    ajv.addSchema(dialect as object, id);
    // Makes the path in an error say which schema it is of.
    ajv.schemas[id]!.schemaPath = `${id}#`;
    for (const [path, fact] of factsOf(dialect, `${id}#`)) facts[path] = fact;
  }

  function compile(schema: Schema): Compiled | null {
    const component = componentOf(schema);
    const id = component === null ? `checked-${compiled.size}` : idOf(component);
    try {
      const used = reach(schema, components, ready);
      for (const name of used) add(idOf(name), components[name] as Schema);
      if (component === null) add(id, schema);
      for (const name of used) ajv.getSchema(idOf(name));
      for (const name of used) ready.add(name);
      const validate = ajv.getSchema(id) as CompiledValidator;
      return { validate, isRisky: findRisk(schema), isTooSlow: false };
    } catch {
      return null;
    }
  }

  function compiledOf(schema: JsonObject): Compiled | null {
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
    const check = compiledOf(schema);
    if (check === null) return [];
    if (check.isTooSlow || (check.isRisky && timeouts >= MAX_TIMEOUTS)) return [];
    const run = () => holds(check.validate, value);
    const isValid = check.isRisky ? runWithin(TIME_LIMIT_MS, run) : run();
    if (isValid === TIMED_OUT) {
      timeouts += 1;
      check.isTooSlow = true;
      return [TOO_SLOW];
    }
    if (isValid) return [];
    return findingsOf(check.validate.errors ?? [], { facts, value, most: MAX_FINDINGS });
  };
}

// A schema that leads back to itself without a step into the value runs out of stack.
function holds(validate: CompiledValidator, value: Json): boolean {
  try {
    return validate(value);
  } catch (error) {
    if (error instanceof RangeError) return true;
    throw error;
  }
}

interface Compiled {
  readonly validate: CompiledValidator;
  /** True where a pattern may take longer than anyone waits. */
  readonly isRisky: boolean;
  /** True once it has. */
  isTooSlow: boolean;
}

/** Tells whether a schema, or one it leads to, has a pattern that may run away. */
function createRiskFinder(components: JsonObject): (schema: Schema) => boolean {
  const risky = new Set(
    Object.keys(components).filter((name) => hasRiskyPattern(components[name] as Schema)),
  );
  const users = usersOf(components);
  // A set hands out what is added while it is walked.
  for (const name of risky) for (const user of users.get(name) ?? []) risky.add(user);
  return (schema) => {
    if (hasRiskyPattern(schema)) return true;
    for (const place of walkSchemas([{ schema, holder: [schema], key: 0, pointer: '' }])) {
      if (risky.has(componentOf(place.schema) ?? '')) return true;
    }
    return false;
  };
}

function hasRiskyPattern(root: Schema): boolean {
  for (const { schema } of walkSchemas([{ schema: root, holder: [root], key: 0, pointer: '' }])) {
    if (!isObject(schema)) continue;
    const { pattern, patternProperties } = schema;
    const names = isObject(patternProperties) ? Object.keys(patternProperties) : [];
    if ((typeof pattern === 'string' ? [pattern, ...names] : names).some(isRisky)) return true;
  }
  return false;
}

const NEVER: Finding = {
  path: '',
  keyword: 'false schema',
  expected: 'nothing',
  what: 'expected nothing: the schema is false',
};

const TOO_SLOW: Finding = {
  path: '',
  keyword: 'pattern',
  expected: 'a value that can be checked',
  what: `not checked in ${TIME_LIMIT_MS / 1000} seconds: a pattern of the schema backtracks too much`,
};

/** The names of the components that a schema needs, directly or not, without those that are ready. */
function reach(
  schema: Schema,
  components: JsonObject,
  ready: ReadonlySet<string>,
): ReadonlySet<string> {
  const reached = new Set<string>();
  const ahead: Schema[] = [schema];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const root = { schema: next, holder: [next], key: 0, pointer: '' };
    for (const place of walkSchemas([root])) {
      const name = componentOf(place.schema);
      if (name === null || reached.has(name) || ready.has(name)) continue;
      if (!isSchema(components[name])) continue;
      reached.add(name);
      ahead.push(components[name]);
    }
  }
  return reached;
}

const DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const TIME =
  /^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** The formats of draft-07 (and uuid) that an example can plainly fail. */
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
