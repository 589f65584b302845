import { joinPointer, memberOf } from '../../common/json/pointer.ts';
import { isObject, type Json, type JsonObject, type Schema } from '../../common/json/value.ts';
import { objectAt } from '../schema/document-schemas.ts';
import { branchesOf } from '../schema/subschemas.ts';
import { codeOf, rowOf } from './error-catalog.ts';
import type { Contract, VerifiedMethod } from './contract.ts';
import type { Probe } from './message.ts';

/** The items of a kind that were exercised, and those that were not. */
export interface CoverageRow {
  readonly kind: string;
  readonly covered: number;
  readonly total: number;
  readonly holes: readonly string[];
}

/** Maximum depth of the members of a result. */
const MAX_DEPTH = 12;

/**
 * Maximum number of schemas that are read for the members of a result: components that refer to each other
 * from several places would multiply them at each level.
 */
const MAX_SCHEMAS = 10_000;

/** Maximum number of elements of an array that are examined. */
const MAX_ELEMENTS = 50;

/** Collects the parts of a document that the calls of a run have exercised. */
export class Coverage {
  readonly #contract: Contract;
  readonly #seen = new Set<string>();
  /** Constraints that calls can exercise. */
  readonly #sites = new Set<string>();
  readonly #fields = new Map<VerifiedMethod, Fields>();

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  /** Adds a constraint that calls can exercise. */
  addSite(site: string): void {
    this.#sites.add(site);
  }

  addProbe({ method, covers = [], expects }: Probe): void {
    if (method !== null) this.#seen.add(`method ${method.name}`);
    for (const each of covers) this.#seen.add(`constraint ${each}`);
    for (const { outcome } of expects.responses) {
      if (outcome.kind !== 'valid') continue;
      this.#seen.add(`method ${outcome.method.name}`);
      for (const [index, { name }] of outcome.method.params.entries()) {
        const { params } = outcome;
        const value = Array.isArray(params)
          ? (params[index] as Json | undefined)
          : memberOf(params, name);
        if (value !== undefined) this.#seen.add(`parameter ${outcome.method.name} ${name}`);
      }
    }
  }

  addError(response: JsonObject): void {
    const { errors } = this.#contract;
    const name =
      errors.length === 0 ? String(codeOf(response)) : rowOf(this.#contract, response)?.name;
    if (name !== undefined) this.#seen.add(`error ${name}`);
  }

  addResult(method: VerifiedMethod, result: Json): void {
    for (const path of pathsOf(result, this.#fieldsOf(method).members)) {
      this.#seen.add(`result field ${method.name} ${path}`);
    }
  }

  rows(): readonly CoverageRow[] {
    const { methods, errors } = this.#contract;
    return [
      this.#row(
        'method',
        methods.map(({ name }) => name),
      ),
      this.#row(
        'parameter',
        methods.flatMap((method) => method.params.map(({ name }) => `${method.name} ${name}`)),
      ),
      this.#row('constraint', [...this.#sites]),
      this.#row(
        'error',
        errors.map(({ name }) => name),
      ),
      this.#row(
        'result field',
        methods.flatMap((method) =>
          [...this.#fieldsOf(method).paths].map((field) => `${method.name} ${field}`),
        ),
      ),
    ];
  }

  #fieldsOf(method: VerifiedMethod): Fields {
    const known = this.#fields.get(method) ?? readFields(this.#contract, method.result ?? true);
    this.#fields.set(method, known);
    return known;
  }

  #row(kind: string, all: readonly string[]): CoverageRow {
    const names = [...new Set(all)];
    const holes = names.filter((name) => !this.#seen.has(`${kind} ${name}`));
    return { kind, covered: names.length - holes.length, total: names.length, holes };
  }
}

/** The members that the schema of a result describes. */
interface Fields {
  /** Paths of the members, with `*` for each index. */
  readonly paths: ReadonlySet<string>;
  /** Names of the members, by the path of their object. */
  readonly members: ReadonlyMap<string, ReadonlySet<string>>;
}

function readFields(contract: Contract, root: Schema): Fields {
  const paths = new Set<string>();
  const members = new Map<string, Set<string>>();
  const steps = { left: MAX_SCHEMAS };
  for (const [path, key] of fieldsOf(contract, { schema: root, path: '', depth: 0 }, steps)) {
    paths.add(joinPointer(path, key));
    members.set(path, (members.get(path) ?? new Set()).add(key));
  }
  return { paths, members };
}

/** Yields the paths of the described members of a value, which may have any number of others. */
function* pathsOf(
  value: Json,
  members: Fields['members'],
  path = '',
  depth = 0,
): Generator<string> {
  if (depth > MAX_DEPTH) return;
  if (Array.isArray(value)) {
    for (const each of value.slice(0, MAX_ELEMENTS) as Json[])
      yield* pathsOf(each, members, `${path}/*`, depth + 1);
  } else if (isObject(value)) {
    for (const key of members.get(path) ?? []) {
      if (!Object.hasOwn(value, key)) continue;
      const below = joinPointer(path, key);
      yield below;
      yield* pathsOf(value[key]!, members, below, depth + 1);
    }
  }
}

type Field = readonly [path: string, key: string];

interface SchemaPlace {
  readonly schema: Schema;
  readonly path: string;
  readonly depth: number;
}

/** Yields each member that a schema describes: the path of its object, and its name. */
function* fieldsOf(
  contract: Contract,
  { schema: root, path, depth }: SchemaPlace,
  steps: { left: number },
): Generator<Field> {
  steps.left -= 1;
  const { schema } = contract.resolve(root);
  if (!isObject(schema) || depth > MAX_DEPTH || steps.left < 0) return;
  const below = (each: Schema, at: string) =>
    fieldsOf(contract, { schema: each, path: at, depth: depth + 1 }, steps);
  for (const each of branchesOf(schema)) yield* below(each, path);
  for (const [key, each] of Object.entries(objectAt(schema, 'properties'))) {
    yield [path, key];
    yield* below(each as Schema, joinPointer(path, key));
  }
  const { items } = schema;
  if (isObject(items)) yield* below(items, `${path}/*`);
}
