import { findReferences, type Reference } from '../../bundle/references.ts';
import {
  joinPointer,
  pointerOfFragment,
  splitPointer,
  valueAt,
} from '../../../common/json/pointer.ts';
import { referenceOf, resolvePointer } from '../../../common/json/reference.ts';
import { isObject, isSchema, type Json, type JsonObject } from '../../../common/json/value.ts';
import { objectAt } from '../../schema/document-schemas.ts';
import { mapKeywords, plainKeywords, schemaKeywords } from '../../schema/keywords.ts';
import type { LintContext } from '../context.ts';
import { jsonSchema, openrpc, rule } from '../rule.ts';

const resolves = rule({
  id: 'reference-resolves',
  levels: { recommended: 'error', strict: 'error' },
  title: 'Every reference leads somewhere',
  protects:
    'A reference that leads nowhere leaves a hole: generators stop there or write `any`, and nothing is checked.',
  source: openrpc('reference-object', 'a Reference Object stands for the component it refers to'),
  fix: 'correct the $ref, or add what it names',
  bad: `
methods:
  - name: getUser
    params:
      - { name: id, schema: { $ref: '#/components/schemas/UserId' } }
components: { schemas: { Id: { type: string } } }`,
  good: `
methods:
  - name: getUser
    params:
      - { name: id, schema: { $ref: '#/components/schemas/Id' } }
components: { schemas: { Id: { type: string } } }`,
  *check({ document, unresolved }) {
    for (const { message, fix, location } of unresolved) {
      yield { pointer: location.pointer ?? '', message, fix, location };
    }
    const known = new Set<unknown>(unresolved.map(({ holder }) => holder));
    for (const { reference, pointer } of findReferences(document)) {
      if (known.has(valueAt(document, pointer))) continue;
      const target = resolvePointer(document, pointer);
      if (target !== null && isSchema(target.value)) continue;
      yield {
        pointer,
        message: `the reference "${reference}" leads nowhere, or round in a circle`,
      };
    }
  },
});

const siblings = rule({
  id: 'reference-siblings',
  levels: { recommended: 'warning', strict: 'error' },
  title: 'Nothing that matters stands beside a $ref',
  protects:
    'Validators of draft-07 ignore what stands beside `$ref`: the constraint is written down, and holds nowhere.',
  source: jsonSchema('core', '8.3', 'all other properties of a "$ref" object MUST be ignored'),
  fix: 'put the reference and the other keywords into an allOf',
  bad: `
methods:
  - name: getUser
    params:
      - { name: id, schema: { $ref: '#/components/schemas/Id', maxLength: 8 } }
components: { schemas: { Id: { type: string } } }`,
  good: `
methods:
  - name: getUser
    params:
      - name: id
        schema: { allOf: [{ $ref: '#/components/schemas/Id' }, { maxLength: 8 }] }
components: { schemas: { Id: { type: string } } }`,
  *check({ schemas }) {
    for (const { schema, pointer } of schemas) {
      if (typeof schema['$ref'] !== 'string') continue;
      const ignored = Object.keys(schema).filter(
        (key) => plainKeywords.has(key) || schemaKeywords.has(key) || mapKeywords.has(key),
      );
      if (ignored.length === 0) continue;
      const message = `${ignored.join(', ')} beside $ref ${ignored.length === 1 ? 'has' : 'have'} no effect`;
      yield { pointer: joinPointer(pointer, ignored[0]!), message };
    }
  },
});

const unused = rule({
  id: 'unused-component',
  levels: { recommended: 'warning', strict: 'error' },
  title: 'Every component is used',
  protects:
    'What nothing refers to is read, translated and kept up to date for nobody; often it was meant to be used.',
  source: openrpc(
    'components-object',
    'components have no effect on the API unless they are referred to from outside the Components Object',
  ),
  fix: 'refer to it, or remove it',
  bad: `
methods: []
components: { schemas: { Leftover: { type: string } } }`,
  good: `
methods:
  - name: getName
    result: { name: name, schema: { $ref: '#/components/schemas/Name' } }
components: { schemas: { Name: { type: string } } }`,
  *check(context) {
    const uses = listUses(context);
    const used = reachable(uses, ['']);
    const idle = componentsOf(context.document).filter(({ pointer }) => !used.has(pointer));
    const pointers = new Set(idle.map(({ pointer }) => pointer));
    const within = new Set(
      [...pointers].flatMap((other) =>
        [...(uses.get(other) ?? [])].filter((each) => each !== other),
      ),
    );
    const told = new Set<string>();
    // What only an unused one uses goes with it; of a circle, the first stands for all.
    const roots = idle.filter(({ pointer }) => !within.has(pointer));
    for (const { pointer, name, kind } of [...roots, ...idle]) {
      if (told.has(pointer)) continue;
      const along = [...reachable(uses, [pointer])].filter(
        (each) => pointers.has(each) && !told.has(each),
      );
      for (const each of along) told.add(each);
      const others = along.length - 1;
      const more = others === 0 ? '' : ` (and ${others} more that only it uses)`;
      yield { pointer, message: `nothing uses "${name}" of ${kind}${more}` };
    }
  },
});

function componentsOf(document: JsonObject) {
  return Object.entries(objectAt(document, 'components')).flatMap(([kind, map]) => {
    if (!isObject(map) || kind.startsWith('x-')) return [];
    const below = joinPointer('/components', kind);
    return Object.keys(map).map((name) => ({ kind, name, pointer: joinPointer(below, name) }));
  });
}

/** For each component, and "" for all that is outside of them: the components it refers to. */
function listUses({ document, original }: LintContext): ReadonlyMap<string, ReadonlySet<string>> {
  const uses = new Map<string, Set<string>>();
  // Bundling moves what is referred to by its place; what it was part of is in use all the same.
  for (const { reference, pointer } of [...findReferences(document), ...findAll(original)]) {
    const target = reference.startsWith('#')
      ? componentAt(pointerOfFragment(reference) ?? '')
      : null;
    if (target === null) continue;
    const from = componentAt(pointer) ?? '';
    uses.set(from, (uses.get(from) ?? new Set()).add(target));
  }
  return uses;
}

/** Every `$ref`, in data too: an extension may well mean it. */
function* findAll(document: Json): Generator<Reference> {
  const ahead: [Json, string][] = [[document, '']];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const [value, pointer] = next;
    if (typeof value !== 'object' || value === null) continue;
    const reference = referenceOf(value);
    if (reference !== null) yield { reference, pointer };
    for (const [key, member] of Object.entries(value)) {
      ahead.push([member as Json, joinPointer(pointer, key)]);
    }
  }
}

function reachable(uses: ReadonlyMap<string, ReadonlySet<string>>, from: readonly string[]) {
  const reached = new Set(from);
  // A set hands out what is added while it is walked.
  for (const pointer of reached) for (const used of uses.get(pointer) ?? []) reached.add(used);
  return reached;
}

function componentAt(pointer: string): string | null {
  const [components, kind, name] = splitPointer(pointer);
  if (components !== 'components' || kind === undefined || name === undefined) return null;
  return joinPointer(joinPointer('/components', kind), name);
}

const names = rule({
  id: 'component-name',
  levels: { recommended: 'error', strict: 'error' },
  title: 'Keys of components are made of letters, digits, dots, dashes and underscores',
  protects: 'Other characters have to be escaped in every reference, and tools disagree about how.',
  source: openrpc('components-object', 'keys MUST match ^[a-zA-Z0-9.\\-_]+$'),
  fix: 'rename it, and the references to it',
  bad: `
methods:
  - name: getUser
    result: { name: user, schema: { $ref: '#/components/schemas/User%20account' } }
components: { schemas: { 'User account': { type: string } } }`,
  good: `
methods:
  - name: getUser
    result: { name: user, schema: { $ref: '#/components/schemas/UserAccount' } }
components: { schemas: { UserAccount: { type: string } } }`,
  *check({ original }) {
    if (!isObject(original)) return;
    for (const { kind, name, pointer } of componentsOf(original)) {
      if (/^[a-zA-Z0-9.\-_]+$/.test(name)) continue;
      yield { pointer, message: `"${name}" of ${kind} has characters that keys must not have` };
    }
  },
});

export const references = [resolves, siblings, unused, names];
