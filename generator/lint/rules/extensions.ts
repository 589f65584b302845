import type { JsonObject } from '../../../common/json/value.ts';
import { textAt } from '../../model/member.ts';
import { listAt } from '../../schema/document-schemas.ts';
import { kindOf } from '../../validation/object-kind.ts';
import { findBadExtensions, findExtensions } from '../../validation/extensions.ts';
import { didYouMean, openrpc, rule } from '../rule.ts';
import { IGNORE } from '../suppressions.ts';
import { namesIn } from './schema-view.ts';

const SOURCE = 'specification-extensions';

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
    bad: `x-extensions:
  - openrpcExtension: 0.0.0-development
    name: x-unit
    version: 1.0.0
    restricted: []
    schema: { enum: [wei, gwei] }
components: { schemas: { Price: { type: integer, x-unit: ether } } }`,
    good: `x-extensions:
  - openrpcExtension: 0.0.0-development
    name: x-unit
    version: 1.0.0
    restricted: []
    schema: { enum: [wei, gwei] }
components: { schemas: { Price: { type: integer, x-unit: wei } } }`,
    *check({ document }) {
      yield* findBadExtensions(document);
    },
  }),
  rule('undeclared-extension', ['warning', 'error'], {
    title: 'Extensions are declared if the document declares any',
    protects: 'An extension with a misspelled name is never read.',
    source: openrpc(SOURCE, 'x-extensions lists the extensions of the document'),
    fix: 'declare it in x-extensions, or correct its name',
    bad: `x-extensions:
  - openrpcExtension: 0.0.0-development
    name: x-credits
    version: 1.0.0
    restricted: [methodObject]
    schema: { type: integer }
methods:
  - name: getUser
    x-credit: 3`,
    good: `x-extensions:
  - openrpcExtension: 0.0.0-development
    name: x-credits
    version: 1.0.0
    restricted: [methodObject]
    schema: { type: integer }
methods:
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
    protects: 'Tools do not look for it there: it has no effect.',
    source: openrpc(SOURCE, '"restricted" lists the objects an extension may stand on'),
    fix: 'move it, or add the object to "restricted"',
    bad: `x-extensions:
  - openrpcExtension: 0.0.0-development
    name: x-credits
    version: 1.0.0
    restricted: [methodObject]
    schema: { type: integer }
info: { title: Users, version: 1.0.0, x-credits: 3 }
methods: []`,
    good: `x-extensions:
  - openrpcExtension: 0.0.0-development
    name: x-credits
    version: 1.0.0
    restricted: [methodObject]
    schema: { type: integer }
methods:
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
];
