import { isUndecided, type ClassifiedChange } from '../../generator/diff/classify.ts';
import { componentsOf, isConfirmed } from './confirm.ts';
import type { CorpusDocument, PlainDocument } from './corpus.ts';
import { diffOf } from './document.ts';
import type { Schema } from './instances/instances.ts';
import { searchWitness, type Side } from './instances/search.ts';
import { policy } from './kinds/policy.ts';
import { deref } from './mutation.ts';
import type { PlainSchema, SchemaMutation } from './schema-mutations.ts';
import { isAlarm, ofChange, type Once, type Tally } from './tally.ts';

export interface SchemaOnce extends Once {
  /** Values tried in search of one that only one of two schemas allows. */
  readonly tries: number;
}

/** Changes a schema somewhere in a parameter or result, and asks Ajv what that means. */
export async function applyToSchema(
  mutation: SchemaMutation,
  { name, document }: CorpusDocument,
  { draw, tally, tries }: SchemaOnce,
): Promise<void> {
  const changed = structuredClone(document);
  const places = placesOf(changed, tally.group).filter(
    ({ schema }) => mutation.change(schema, draw) !== undefined,
  );
  const place = draw.pick(places);
  if (place === undefined) return;
  place.replace(mutation.change(place.schema, draw)!);
  tally.applied += 1;
  const [old, fresh] = [document, changed].map((each) => sideOf(each, tally.group, place.root)) as [
    Side,
    Side,
  ];
  const [inner, outer] = tally.group === 'request schema' ? [old, fresh] : [fresh, old];
  const witness = searchWitness({ inner, outer }, { chance: draw.chance, tries });
  // A shared schema may be in parameters and in results: here, only one of them is asked about.
  const direction = tally.group.split(' ')[0]!;
  const changes = ofChange(await diffOf(document, changed)).filter(
    ({ kind }) => kind.startsWith(direction) || kind === 'schema-rewritten',
  );
  const label = `${name}, ${place.pointer}`;
  const allows = (side: Side) =>
    searchWitness({ inner: side, outer: NOTHING }, { chance: draw.chance, tries: tries * 10 }) !==
    undefined;
  const documents = [document, changed] as const;
  recordSchema({ tally, inner, outer, label, documents, allows }, witness, changes);
}

const NOTHING: Side = { schema: false, components: {} };

function sideOf(document: PlainDocument, group: Tally['group'], root: number): Side {
  return {
    schema: rootsOf(document, group)[root]!['schema'] as Schema,
    components: componentsOf(document),
  };
}

interface Case {
  readonly tally: Tally;
  readonly inner: Side;
  readonly outer: Side;
  /** Whether a search finds a value that a side allows. */
  allows(side: Side): boolean;
  readonly label: string;
  readonly documents: readonly [PlainDocument, PlainDocument];
}

function recordSchema(each: Case, witness: unknown, changes: readonly ClassifiedChange[]): void {
  const { tally, inner, outer, label } = each;
  const alarms = changes.filter(isAlarm);
  if (alarms.some(isUndecided)) tally.undecided += 1;
  if (witness !== undefined) {
    tally.breaking += 1;
    if (alarms.some(({ severity }) => severity === 'error')) tally.found += 1;
    else if (changes.some(({ kind }) => policy[kind] !== undefined && !isUndecided({ kind })))
      tally.policy += 1;
    else {
      const schemas = [inner, outer].map(({ schema }) => JSON.stringify(schema)).join(' → ');
      tally.failures.push(`${label}: not found; ${JSON.stringify(witness)}: ${schemas}`);
    }
    return;
  }
  const wrong = alarms
    .filter(({ severity }) => severity === 'error')
    .filter((error) => !isShown(each, error));
  if (wrong.length === 0) return;
  tally.falseAlarms += 1;
  tally.failures.push(`${label}: ${wrong.map(({ kind, what }) => `${kind} ${what}`).join('; ')}`);
}

/** Returns whether the break is real though the search found no value: the differ gives one. */
function isShown(each: Case, change: ClassifiedChange): boolean {
  if (change.kind === 'response-schema-became-unsatisfiable') return isSomeResultLost(each);
  return isConfirmed(change, each.documents) === true;
}

/** Of a result that can be nothing any more there is no value to show. */
function isSomeResultLost({ documents: [old, fresh], tally: { group }, allows }: Case): boolean {
  return rootsOf(old, group).some(
    (_, root) => allows(sideOf(old, group, root)) && !allows(sideOf(fresh, group, root)),
  );
}

/** The content descriptors of all parameters, or of all results. */
function rootsOf(document: PlainDocument, group: Tally['group']): readonly PlainSchema[] {
  return document.methods.flatMap((method) => {
    const result = method['result'] === undefined ? [] : [method['result']];
    return (group === 'request schema' ? method.params : result).map((each) =>
      deref(document, each),
    );
  });
}

interface SchemaPlace {
  readonly schema: PlainSchema;
  readonly pointer: string;
  /** Number of the parameter or result that leads to it. */
  readonly root: number;
  replace(schema: Schema): void;
}

/** The schemas of parameters or results, and those they lead to, each once. */
function placesOf(document: PlainDocument, group: Tally['group']): readonly SchemaPlace[] {
  const places: SchemaPlace[] = [];
  const seen = new Set<unknown>();
  const add = (holder: PlainSchema, key: string, [root, above]: readonly [number, string]) => {
    const schema = holder[key] as PlainSchema | undefined;
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return;
    if (seen.has(schema)) return;
    seen.add(schema);
    const pointer = `${above}/${key}`;
    places.push({ schema, pointer, root, replace: (other) => void (holder[key] = other) });
    const at = [root, pointer] as const;
    for (const each of ['items', 'additionalProperties', 'not']) add(schema, each, at);
    for (const each of ['properties', 'oneOf', 'anyOf', 'allOf', 'items']) {
      const map = schema[each];
      if (typeof map !== 'object' || map === null || (each === 'items' && !Array.isArray(map)))
        continue;
      for (const member of Object.keys(map)) add(map as PlainSchema, member, at);
    }
    const name = typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1)! : null;
    if (name !== null)
      add(componentsOf(document) as PlainSchema, decodeURIComponent(name), [root, '#']);
  };
  for (const [index, root] of rootsOf(document, group).entries()) {
    add(root, 'schema', [index, String(root['name'])]);
  }
  return places;
}
