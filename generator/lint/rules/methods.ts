import { canonicalValue } from '../../containment/canonical.ts';
import { joinPointer } from '../../../common/json/pointer.ts';
import { textAt } from '../../model/member.ts';
import { shown, type Element } from '../context.ts';
import { jsonRpc, openrpc, rule, type RuleFinding } from '../rule.ts';

/** Reports each element whose key an earlier element has. */
export function* repeated(
  elements: readonly Element[],
  keyOf: (element: Element) => string | null,
  messageOf: (key: string) => string,
): Generator<RuleFinding> {
  const seen = new Set<string>();
  for (const element of elements) {
    const key = keyOf(element);
    if (key === null) continue;
    if (seen.has(key)) yield { pointer: element.place, message: messageOf(key) };
    seen.add(key);
  }
}

export const methods = [
  rule('duplicate-method', ['error', 'error'], {
    title: 'Method names are unique',
    protects:
      'A request names its method: of two methods with the same name, only one can be called.',
    source: openrpc('method-object', 'the name MUST be unique within the methods array'),
    fix: 'rename or remove one of them',
    bad: `methods:
  - name: getUser
  - name: getUser`,
    good: `methods:
  - name: getUser
  - name: getUsers`,
    check: ({ methods }) =>
      repeated(
        methods,
        ({ value }) => textAt(value, 'name'),
        (name) => `a second method is called "${name}"`,
      ),
  }),
  rule('duplicate-param', ['error', 'error'], {
    title: 'Parameter names of a method are unique',
    protects: 'By name, only one of them can be passed; in generated code one shadows the other.',
    source: openrpc(
      'method-object',
      'params MUST NOT include duplicated parameters; names are unique',
    ),
    fix: 'rename or remove one of them',
    bad: `methods:
  - name: transfer
    params: [{ name: account, schema: true }, { name: account, schema: true }]`,
    good: `methods:
  - name: transfer
    params: [{ name: from, schema: true }, { name: to, schema: true }]`,
    *check({ methods }) {
      for (const { params, name } of methods) {
        const messageOf = (param: string) => `"${name}" has two parameters named "${param}"`;
        yield* repeated(params, ({ value }) => textAt(value, 'name'), messageOf);
      }
    },
  }),
  rule('required-before-optional', ['error', 'error'], {
    title: 'Required parameters come before optional ones',
    protects: 'By position, an optional parameter before a required one cannot be left out.',
    source: openrpc(
      'method-object',
      'all optional params MUST be positioned after all required params',
    ),
    fix: 'move the optional parameters to the end, or make them required',
    bad: `methods:
  - name: getLogs
    params:
      - { name: limit, schema: { type: integer } }
      - { name: address, required: true, schema: { type: string } }`,
    good: `methods:
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
          const message = `"${textAt(value, 'name')}" of "${name}" is required but follows "${before}", which is optional`;
          yield { pointer: place, message };
        }
      }
    },
  }),
  rule('reserved-method-name', ['error', 'error'], {
    title: 'Method names do not start with "rpc."',
    protects: 'Servers and libraries reserve such names and may handle the call themselves.',
    source: jsonRpc(
      'request_object',
      'names that begin with "rpc." are reserved for system extensions; OpenRPC uses rpc.discover',
    ),
    fix: 'use a different prefix',
    bad: `methods:
  - name: rpc.status`,
    good: `methods:
  - name: rpc.discover
  - name: node.status`,
    *check({ methods }) {
      for (const { name, place } of methods) {
        if (!name.startsWith('rpc.') || name === 'rpc.discover') continue;
        const message = `"${name}" is reserved for JSON-RPC itself`;
        yield { pointer: `${place}/name`, message };
      }
    },
  }),
  rule('duplicate-tag', ['warning', 'error'], {
    title: 'Tags of a method are unique',
    protects: 'Documentation lists the method twice under one heading.',
    source: openrpc('method-object', 'tags group methods logically'),
    fix: 'remove one of them',
    bad: `methods:
  - name: getUser
    tags: [{ name: users }, { name: users }]`,
    good: `methods:
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
  }),
  rule('param-structure-declared', ['off', 'warning'], {
    title: 'Methods with parameters state paramStructure',
    protects:
      'Without it, a method promises to accept params by position and by name. Ethereum nodes, for example, reject params by name.',
    source: openrpc(
      'method-object',
      'paramStructure defaults to "either"; it is missing in 54 of the 55 methods of @metamask/api-specs 0.15.0, eth_call among them',
    ),
    fix: 'add paramStructure: by-position, by-name, or either if the server really takes both',
    bad: `methods:
  - name: getUser
    params: [{ name: id, schema: true }]`,
    good: `methods:
  - name: getUser
    paramStructure: by-name
    params: [{ name: id, schema: true }]`,
    *check({ methods }) {
      for (const { value, params, name, place } of methods) {
        if (params.length === 0 || value['paramStructure'] !== undefined) continue;
        yield { pointer: place, message: `"${name}" has no paramStructure` };
      }
    },
  }),
  rule('duplicate-server', ['warning', 'error'], {
    title: 'Server names and URLs are unique',
    protects: 'A server cannot be selected by name if two have the same name.',
    source: openrpc('server-object', 'the name is the canonical name of the server'),
    fix: 'rename or remove one of them',
    bad: `servers:
  - { name: main, url: 'https://a.example.org' }
  - { name: main, url: 'https://b.example.org' }
methods: []`,
    good: `servers:
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
  }),
];
