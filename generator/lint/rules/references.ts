import { findReferences, type Reference } from '../../bundle/references.ts';
import { joinPointer, splitPointer, valueAt } from '../../../common/json/pointer.ts';
import { localTarget, referenceOf } from '../../../common/json/reference.ts';
import { isObject, type Json, type JsonObject } from '../../../common/json/value.ts';
import { objectAt } from '../../schema/document-schemas.ts';
import { mapKeywords, plainKeywords, schemaKeywords } from '../../schema/keywords.ts';
import { findBadReferences } from '../../validation/soundness.ts';
import type { LintContext } from '../context.ts';
import { jsonSchema, openrpc, rule } from '../rule.ts';

export const references = [
  rule('reference-resolves', ['error', 'error'], {
    title: 'References resolve',
    protects:
      'Generators fail on an unresolved reference or write `any`, and values there are not validated.',
    source: openrpc('reference-object', 'a Reference Object stands for the component it refers to'),
    fix: 'correct the $ref, or add its target',
    bad: `methods:
  - name: getUser
    params:
      - { name: id, schema: { $ref: '#/components/schemas/UserId' } }
components: { schemas: { Id: { type: string } } }`,
    good: `methods:
  - name: getUser
    params:
      - { name: id, schema: { $ref: '#/components/schemas/Id' } }
components: { schemas: { Id: { type: string } } }`,
    *check({ document, unresolved }) {
      for (const { message, fix, location } of unresolved) {
        yield { pointer: location.pointer ?? '', message, fix, location };
      }
      const known = new Set<unknown>(unresolved.map(({ holder }) => holder));
      for (const each of findBadReferences(document)) {
        if (!known.has(valueAt(document, each.pointer))) yield each;
      }
    },
  }),
  rule('reference-siblings', ['warning', 'error'], {
    title: 'A $ref has no other keywords beside it',
    protects: 'Draft-07 validators ignore keywords beside `$ref`, so the constraint has no effect.',
    source: jsonSchema('core', '8.3', 'all other properties of a "$ref" object MUST be ignored'),
    fix: 'combine the reference and the other keywords in an allOf',
    bad: `methods:
  - name: getUser
    params:
      - { name: id, schema: { $ref: '#/components/schemas/Id', maxLength: 8 } }
components: { schemas: { Id: { type: string } } }`,
    good: `methods:
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
  }),
  rule('unused-component', ['warning', 'error'], {
    title: 'Components are used',
    protects: 'An unused component costs maintenance for nothing; often it was meant to be used.',
    source: openrpc(
      'components-object',
      'components have no effect on the API unless they are referred to from outside the Components Object',
    ),
    fix: 'refer to it, or remove it',
    bad: `methods: []
components: { schemas: { Leftover: { type: string } } }`,
    good: `methods:
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
      const reported = new Set<string>();
      // Components that only an unused one uses are not reported; of a cycle, only the first is.
      const roots = idle.filter(({ pointer }) => !within.has(pointer));
      for (const { pointer, name, kind } of [...roots, ...idle]) {
        if (reported.has(pointer)) continue;
        const along = [...reachable(uses, [pointer])].filter(
          (each) => pointers.has(each) && !reported.has(each),
        );
        for (const each of along) reported.add(each);
        const others = along.length - 1;
        const more = others === 0 ? '' : ` (and ${others} more that only it uses)`;
        yield { pointer, message: `"${name}" in ${kind} is not used${more}` };
      }
    },
  }),
  rule('component-name', ['error', 'error'], {
    title: 'Component keys contain only letters, digits, dots, dashes and underscores',
    protects:
      'Other characters have to be escaped in every reference, and tools disagree about how.',
    source: openrpc('components-object', 'keys MUST match ^[a-zA-Z0-9.\\-_]+$'),
    fix: 'rename it, and update the references to it',
    bad: `methods:
  - name: getUser
    result: { name: user, schema: { $ref: '#/components/schemas/User%20account' } }
components: { schemas: { 'User account': { type: string } } }`,
    good: `methods:
  - name: getUser
    result: { name: user, schema: { $ref: '#/components/schemas/UserAccount' } }
components: { schemas: { UserAccount: { type: string } } }`,
    *check({ original }) {
      if (!isObject(original)) return;
      for (const { kind, name, pointer } of componentsOf(original)) {
        if (/^[a-zA-Z0-9.\-_]+$/.test(name)) continue;
        yield { pointer, message: `"${name}" in ${kind} has invalid characters` };
      }
    },
  }),
];

function componentsOf(document: JsonObject) {
  return Object.entries(objectAt(document, 'components')).flatMap(([kind, map]) => {
    if (!isObject(map) || kind.startsWith('x-')) return [];
    const below = joinPointer('/components', kind);
    return Object.keys(map).map((name) => ({ kind, name, pointer: joinPointer(below, name) }));
  });
}

/** The components each component refers to; "" stands for the rest of the document. */
function listUses({ document, original }: LintContext): ReadonlyMap<string, ReadonlySet<string>> {
  const uses = new Map<string, Set<string>>();
  // Bundling moves targets that are referred to by place; the component they were part of is still used.
  for (const { reference, pointer } of [...findReferences(document), ...findAll(original)]) {
    const target = componentAt(localTarget(reference) ?? '');
    if (target === null) continue;
    const from = componentAt(pointer) ?? '';
    uses.set(from, (uses.get(from) ?? new Set()).add(target));
  }
  return uses;
}

/** Every `$ref`, also in data: an extension may use it. */
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
  // Iterating a set includes elements that are added meanwhile.
  for (const pointer of reached) for (const used of uses.get(pointer) ?? []) reached.add(used);
  return reached;
}

function componentAt(pointer: string): string | null {
  const [components, kind, name] = splitPointer(pointer);
  if (components !== 'components' || kind === undefined || name === undefined) return null;
  return joinPointer(joinPointer('/components', kind), name);
}
