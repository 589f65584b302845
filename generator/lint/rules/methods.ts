import { canonicalValue } from '../../containment/canonical.ts';
import { joinPointer } from '../../../common/json/pointer.ts';
import { textAt } from '../../model/member.ts';
import { shown, type Element } from '../context.ts';
import { jsonRpc, openrpc, rule, type RuleFinding } from '../rule.ts';

/** A found on each element whose key an earlier one of the list has. */
export function* repeated(
  elements: readonly Element[],
  keyOf: (element: Element) => string | null,
  tell: (key: string) => string,
): Generator<RuleFinding> {
  const seen = new Set<string>();
  for (const element of elements) {
    const key = keyOf(element);
    if (key === null) continue;
    if (seen.has(key)) yield { pointer: element.place, message: tell(key) };
    seen.add(key);
  }
}

const duplicateMethod = rule({
  id: 'duplicate-method',
  levels: { recommended: 'error', strict: 'error' },
  title: 'Method names are unique',
  protects: 'A request names its method; of two with one name only one can ever be called.',
  source: openrpc('method-object', 'the name MUST be unique within the methods array'),
  fix: 'rename or remove one of them',
  bad: `
methods:
  - name: getUser
  - name: getUser`,
  good: `
methods:
  - name: getUser
  - name: getUsers`,
  check: ({ methods }) =>
    repeated(
      methods,
      ({ value }) => textAt(value, 'name'),
      (name) => `a second method is called "${name}"`,
    ),
});

const duplicateParam = rule({
  id: 'duplicate-param',
  levels: { recommended: 'error', strict: 'error' },
  title: 'The parameters of a method have different names',
  protects: 'By name, only one of the two can be passed; in generated code one hides the other.',
  source: openrpc(
    'method-object',
    'params MUST NOT include duplicated parameters; names are unique',
  ),
  fix: 'rename or remove one of them',
  bad: `
methods:
  - name: transfer
    params: [{ name: account, schema: true }, { name: account, schema: true }]`,
  good: `
methods:
  - name: transfer
    params: [{ name: from, schema: true }, { name: to, schema: true }]`,
  *check({ methods }) {
    for (const { params, name } of methods) {
      const tell = (param: string) => `a second parameter of "${name}" is called "${param}"`;
      yield* repeated(params, ({ value }) => textAt(value, 'name'), tell);
    }
  },
});

const requiredFirst = rule({
  id: 'required-before-optional',
  levels: { recommended: 'error', strict: 'error' },
  title: 'Required parameters come before optional ones',
  protects: 'By position, an optional parameter before a required one cannot be left out.',
  source: openrpc(
    'method-object',
    'all optional params MUST be positioned after all required params',
  ),
  fix: 'move the optional parameters to the end, or make them required',
  bad: `
methods:
  - name: getLogs
    params:
      - { name: limit, schema: { type: integer } }
      - { name: address, required: true, schema: { type: string } }`,
  good: `
methods:
  - name: getLogs
    params:
      - { name: address, required: true, schema: { type: string } }
      - { name: limit, schema: { type: integer } }`,
  *check({ methods }) {
    for (const { params, name } of methods) {
      const optional = params.findIndex(({ value }) => value['required'] !== true);
      if (optional < 0) continue;
      for (const { value, place } of params.slice(optional)) {
        if (value['required'] !== true) continue;
        const before = textAt(params[optional]!.value, 'name');
        const message = `"${textAt(value, 'name')}" of "${name}" is required, and "${before}" before it is not`;
        yield { pointer: place, message };
      }
    }
  },
});

const reservedName = rule({
  id: 'reserved-method-name',
  levels: { recommended: 'error', strict: 'error' },
  title: 'No method of the API starts with "rpc."',
  protects: 'Servers and libraries keep such names for themselves, and may answer in your place.',
  source: jsonRpc(
    'request_object',
    'names that begin with "rpc." are reserved for system extensions; OpenRPC takes rpc.discover',
  ),
  fix: 'give it another prefix',
  bad: `
methods:
  - name: rpc.status`,
  good: `
methods:
  - name: rpc.discover
  - name: node.status`,
  *check({ methods }) {
    for (const { name, place } of methods) {
      if (!name.startsWith('rpc.') || name === 'rpc.discover') continue;
      yield {
        pointer: joinPointer(place, 'name'),
        message: `"${name}" is reserved for JSON-RPC itself`,
      };
    }
  },
});

const duplicateTag = rule({
  id: 'duplicate-tag',
  levels: { recommended: 'warning', strict: 'error' },
  title: 'No method has a tag twice',
  protects: 'Documentation lists the method twice under one heading.',
  source: openrpc('method-object', 'tags group methods logically'),
  fix: 'remove one of them',
  bad: `
methods:
  - name: getUser
    tags: [{ name: users }, { name: users }]`,
  good: `
methods:
  - name: getUser
    tags: [{ name: users }, { name: public }]`,
  *check({ methods }) {
    for (const { tags, name } of methods) {
      yield* repeated(
        tags,
        ({ value }) => textAt(value, 'name'),
        (tag) => `"${name}" has the tag "${tag}" twice`,
      );
    }
  },
});

const structure = rule({
  id: 'param-structure-declared',
  levels: { recommended: 'off', strict: 'warning' },
  title: 'Methods with parameters say whether they take them by position or by name',
  protects:
    'Without it a method promises both. Ethereum nodes answer params by name with an error, and the documents that leave this out tell clients otherwise.',
  source: openrpc(
    'method-object',
    'paramStructure is "either" where it is left out, as it is by 54 of the 55 methods of @metamask/api-specs 0.15.0, eth_call among them',
  ),
  fix: 'add paramStructure: by-position, by-name, or either if the server really takes both',
  bad: `
methods:
  - name: getUser
    params: [{ name: id, schema: true }]`,
  good: `
methods:
  - name: getUser
    paramStructure: by-name
    params: [{ name: id, schema: true }]`,
  *check({ methods }) {
    for (const { value, params, name, place } of methods) {
      if (params.length === 0 || value['paramStructure'] !== undefined) continue;
      yield { pointer: place, message: `"${name}" does not say how it takes its parameters` };
    }
  },
});

const duplicateServer = rule({
  id: 'duplicate-server',
  levels: { recommended: 'warning', strict: 'error' },
  title: 'Servers have different names and addresses',
  protects: 'Whoever chooses a server by its name gets one of two.',
  source: openrpc('server-object', 'the name is the canonical name of the server'),
  fix: 'rename or remove one of them',
  bad: `
servers:
  - { name: main, url: 'https://a.example.org' }
  - { name: main, url: 'https://b.example.org' }
methods: []`,
  good: `
servers:
  - { name: main, url: 'https://a.example.org' }
  - { name: spare, url: 'https://b.example.org' }
methods: []`,
  *check({ document }) {
    const servers = Array.isArray(document['servers']) ? document['servers'] : [];
    const elements = servers.map((value, index) => {
      const pointer = joinPointer('/servers', index);
      return { value, pointer, place: pointer } as Element;
    });
    const nameOf = ({ value }: Element) => textAt(value, 'name') || null;
    yield* repeated(elements, nameOf, (name) => `a second server is called ${shown(name)}`);
    const addressOf = ({ value }: Element) =>
      canonicalValue([value['url']!, value['variables'] ?? null]);
    yield* repeated(elements, addressOf, () => 'another server has the same address');
  },
});

export const methods = [
  duplicateMethod,
  duplicateParam,
  requiredFirst,
  reservedName,
  duplicateTag,
  structure,
  duplicateServer,
];
