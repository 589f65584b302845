import { valueAt } from '../../../common/json/pointer.ts';
import type { JsonObject } from '../../../common/json/value.ts';
import { textAt } from '../../model/member.ts';
import { listAt, objectAt } from '../../schema/document-schemas.ts';
import { kindOf } from '../../validation/object-kind.ts';
import { findBadExtensions, findExtensions } from '../../validation/extensions.ts';
import { didYouMean, openrpc, rule } from '../rule.ts';
import { IGNORE } from '../suppressions.ts';
import { namesIn } from './schema-view.ts';

const SOURCE = 'specification-extensions';

/** Declarations for the examples. */
const UNIT = declarationOf('x-unit', '', '{ enum: [wei, gwei] }');
const CREDITS = declarationOf('x-credits', 'methodObject', '{ type: integer }');

function declarationOf(name: string, restricted: string, schema: string): string {
  return `x-extensions:
  - openrpcExtension: 0.0.0-development
    name: ${name}
    version: 1.0.0
    restricted: [${restricted}]
    schema: ${schema}
`;
}

function declaredIn(document: JsonObject): ReadonlyMap<string, JsonObject> {
  const entries = listAt(document, 'x-extensions');
  return new Map(entries.map((entry) => [textAt(entry, 'name'), entry]));
}

export const extensions = [
  rule('extension-value', ['error', 'error'], {
    title: 'Extension values match their declared schema',
    protects: 'Tools that read the extension fail or use a wrong value.',
    source: openrpc(SOURCE, 'x-extensions gives each extension a schema'),
    fix: 'correct the value, or the schema of the extension',
    bad: `${UNIT}components: { schemas: { Price: { type: integer, x-unit: ether } } }`,
    good: `${UNIT}components: { schemas: { Price: { type: integer, x-unit: wei } } }`,
    *check({ document }) {
      yield* findBadExtensions(document);
    },
  }),
  rule('undeclared-extension', ['warning', 'error'], {
    title: 'A document that declares extensions declares all of them',
    protects: 'An extension with a misspelled name is never read.',
    source: openrpc(SOURCE, 'x-extensions lists the extensions of the document'),
    fix: 'declare it in x-extensions, or correct its name',
    bad: `${CREDITS}methods:
  - name: getUser
    x-credit: 3`,
    good: `${CREDITS}methods:
  - name: getUser
    x-credits: 3`,
    *check({ document }) {
      const names = [...declaredIn(document).keys()];
      if (names.length === 0) return;
      for (const { key, pointer } of findExtensions(document)) {
        if (key === IGNORE || names.includes(key)) continue;
        const fix = didYouMean(key, names);
        yield { pointer, message: `"${key}" is not declared in x-extensions`, ...fix };
      }
    },
  }),
  rule('misplaced-extension', ['warning', 'error'], {
    title: 'Extensions are used on the objects they are declared for',
    protects: 'Tools do not look for the extension on other objects, so it has no effect there.',
    source: openrpc(SOURCE, '"restricted" lists the objects that may have an extension'),
    fix: 'move it, or add the object to "restricted"',
    bad: `${CREDITS}info: { title: Users, version: 1.0.0, x-credits: 3 }
methods: []`,
    good: `${CREDITS}methods:
  - name: getUser
    x-credits: 3`,
    *check({ document }) {
      const declared = declaredIn(document);
      if (declared.size === 0) return;
      for (const { key, pointer } of findExtensions(document)) {
        const entry = declared.get(key);
        const allowed = entry === undefined ? [] : namesIn(entry, 'restricted');
        const kind = kindOf(pointer.slice(0, pointer.lastIndexOf('/')));
        if (allowed.length === 0 || kind === null || allowed.includes(kind)) continue;
        const message = `"${key}" is used on the ${kind} but declared for ${allowed.join(', ')}`;
        yield { pointer, message };
      }
    },
  }),
  rule('immutable-block', ['error', 'error'], {
    title: 'x-immutable refers to a parameter or to a member of the result',
    protects: 'Without the block number, no result is final, so none is cached or verified.',
    source: openrpc(
      SOURCE,
      'x-immutable names a parameter of the method, or a location in the results of its examples',
    ),
    fix: 'correct the name of the parameter, or the pointer into the result',
    bad: `methods:
  - name: getReceipt
    params: [{ name: hash, required: true, schema: { type: string } }]
    x-immutable: { block: { param: hesh } }`,
    good: `methods:
  - name: getReceipt
    params: [{ name: hash, required: true, schema: { type: string } }]
    x-immutable: { block: { param: hash } }`,
    *check({ methods }) {
      for (const { value, pointer, params, examples } of methods) {
        const { param, result } = objectAt(objectAt(value, 'x-immutable'), 'block');
        const at = `${pointer}/x-immutable/block`;
        const names = params.map((each) => textAt(each.value, 'name'));
        if (typeof param === 'string' && !names.includes(param)) {
          const message = `the method has no parameter "${param}"`;
          yield { pointer: `${at}/param`, message, ...didYouMean(param, names) };
        }
        if (typeof result !== 'string') continue;
        const shown = examples
          .map((each) => objectAt(each.value, 'result')['value'] ?? null)
          .filter((each) => each !== null);
        if (shown.length === 0 || shown.some((each) => valueAt(each, result) !== undefined))
          continue;
        const message = `no example of the method has a result with "${result}"`;
        yield { pointer: `${at}/result`, message };
      }
    },
  }),
];
