import { joinPointer } from '../../../common/json/pointer.ts';
import type { Json, JsonObject } from '../../../common/json/value.ts';
import { textAt } from '../../model/member.ts';
import { objectAt } from '../../schema/document-schemas.ts';
import { componentElements, type Element, type LintContext, type LintMethod } from '../context.ts';
import { didYouMean, openrpc, rule } from '../rule.ts';

interface Link extends Element {
  /** The method that has the link; null for a link in the components. */
  readonly from: LintMethod | null;
  /** The method it names. */
  readonly to: LintMethod | undefined;
}

function* linksOf({ document, methods }: LintContext): Generator<Link> {
  const byName = new Map(methods.map((method) => [method.name, method]));
  const target = ({ value }: Element) => byName.get(textAt(value, 'method'));
  for (const from of methods) {
    for (const link of from.links) yield { ...link, from, to: target(link) };
  }
  for (const link of componentElements(document, 'links'))
    yield { ...link, from: null, to: target(link) };
}

export const links = [
  rule('link-method', ['error', 'error'], {
    title: 'Links refer to a method of the document',
    protects: 'A link to an unknown method cannot be followed.',
    source: openrpc(
      'link-object',
      'a linked method must exist in the list of methods. In link-example-openrpc.json of @open-rpc/examples 1.7.2, links name getRepository, but the method is called get_repository',
    ),
    fix: 'correct the name of the method',
    bad: `methods:
  - name: get_user
    links: [{ name: self, method: getUser }]`,
    good: `methods:
  - name: get_user
    links: [{ name: self, method: get_user }]`,
    *check(context) {
      const names = context.methods.map(({ name }) => name);
      // A link with its own server may refer to methods of that server.
      for (const { value, pointer, to } of linksOf(context)) {
        if (to !== undefined || !('method' in value) || 'server' in value) continue;
        const name = textAt(value, 'method');
        const message = `the link names "${name}", which is not a method of the document`;
        yield { pointer: `${pointer}/method`, message, ...didYouMean(name, names) };
      }
    },
  }),
  rule('link-params', ['error', 'error'], {
    title: 'Links pass the parameters of the linked method',
    protects: 'A call built with the link is rejected.',
    source: openrpc(
      'link-object',
      'the keys of params are the names of the parameters of the linked method',
    ),
    fix: 'correct the names, and pass every required parameter',
    bad: `methods:
  - name: getUser
    params: [{ name: id, required: true, schema: true }]
    links: [{ name: self, method: getUser, params: { userId: '\${params.id}' } }]`,
    good: `methods:
  - name: getUser
    params: [{ name: id, required: true, schema: true }]
    links: [{ name: self, method: getUser, params: { id: '\${params.id}' } }]`,
    *check(context) {
      for (const { value, pointer, to } of linksOf(context)) {
        if (to === undefined || to.value['params'] === undefined) continue;
        const given = objectAt(value, 'params');
        const names = to.params.map((param) => textAt(param.value, 'name'));
        const at = `${pointer}/params`;
        for (const name of Object.keys(given)) {
          if (names.includes(name)) continue;
          const message = `"${to.name}" has no parameter "${name}"`;
          yield { pointer: joinPointer(at, name), message, ...didYouMean(name, names) };
        }
        for (const param of to.params) {
          const name = textAt(param.value, 'name');
          if (param.value['required'] !== true || Object.hasOwn(given, name)) continue;
          yield {
            pointer,
            message: `the link to "${to.name}" does not pass "${name}", which is required`,
          };
        }
      }
    },
  }),
  rule('link-expression', ['error', 'error'], {
    title: 'Runtime expressions of links refer to params or the result',
    protects: 'A parameter whose expression cannot be evaluated is silently omitted.',
    source: openrpc(
      'runtime-expression',
      'expressions access values of the method: its params and its result',
    ),
    fix: 'start it with params.<name> or result',
    bad: `methods:
  - name: getUser
    params: [{ name: id, required: true, schema: true }]
    links: [{ name: self, method: getUser, params: { id: '\${params.userId}' } }]`,
    good: `methods:
  - name: getUser
    params: [{ name: id, required: true, schema: true }]
    links: [{ name: self, method: getUser, params: { id: '\${params.id}' } }]`,
    *check(context) {
      for (const { value, pointer, from } of linksOf(context)) {
        if (from === null) continue;
        for (const [key, text] of expressions(objectAt(value, 'params'))) {
          const problem = problemOf(text, from);
          const at = joinPointer(`${pointer}/params`, key);
          if (problem !== null) yield { pointer: at, message: `\${${text}}: ${problem}` };
        }
      }
    },
  }),
];

function* expressions(values: JsonObject): Generator<readonly [string, string]> {
  for (const [key, value] of Object.entries(values) as [string, Json][]) {
    if (typeof value !== 'string') continue;
    for (const [, text] of value.matchAll(/\$\{([^{}]*)\}/g)) yield [key, text!.trim()];
  }
}

function problemOf(text: string, { name, params, result }: LintMethod): string | null {
  const [root, member] = text.split(/[.[\]]/);
  if (root === 'result') return result === null ? `"${name}" has no result` : null;
  if (root !== 'params') return 'an expression starts with params or result';
  const names = params.map(({ value }) => textAt(value, 'name'));
  if (member === undefined || member === '' || /^\d+$/.test(member)) return null;
  return names.includes(member) ? null : `"${name}" has no parameter "${member}"`;
}
