import { isObject } from '../../../common/json/value.ts';
import { camelCase, pascalCase } from '../../model/casing.ts';
import { textAt } from '../../model/member.ts';
import { linearPattern } from '../../violations/linear-pattern.ts';
import { ownSchemas, shown } from '../context.ts';
import { openrpc, rule, type RuleFinding } from '../rule.ts';

export const naming = [
  rule('method-name-pattern', ['warning', 'error'], {
    title: 'Method names match a pattern',
    protects:
      'Names with spaces or mixed styles are hard to call, log and route. Set the pattern of your API, such as ^(eth|net)_[a-z][A-Za-z0-9]*$.',
    source: openrpc('method-object', 'the name of the method is the `method` field of the request'),
    options: { pattern: '^[A-Za-z_$][\\w$]*(?:[./:-][\\w$]+)*$' },
    fix: 'rename it, or set the pattern of your API',
    bad: `methods:
  - name: get user`,
    good: `methods:
  - name: users.get
  - name: eth_getProof`,
    *check({ methods }, { pattern }) {
      const expression = linearPattern(pattern, 'u');
      for (const { name, place } of methods) {
        if (expression.test(name)) continue;
        yield { pointer: place, message: `the name ${shown(name)} does not match ${pattern}` };
      }
    },
  }),
  rule('param-name-pattern', ['off', 'warning'], {
    title: 'Parameter names match a pattern',
    protects:
      'In a request with params by name, the name is a key; in generated code, it is a variable. "Block number or tag" cannot be a variable, and each tool rewrites it differently.',
    source: openrpc(
      'content-descriptor-object',
      'if params are passed by name, the name of the content descriptor is the key. @metamask/api-specs 0.15.0 has 18 with a space, such as "Hydrated transactions"',
    ),
    options: { pattern: '^[A-Za-z_$][\\w$]*$' },
    fix: 'use an identifier as the name and move the text to the summary',
    bad: `methods:
  - name: getBlock
    params: [{ name: Block number or tag, schema: true }]`,
    good: `methods:
  - name: getBlock
    params: [{ name: block, summary: Block number or tag, schema: true }]`,
    *check({ methods }, { pattern }) {
      const expression = linearPattern(pattern, 'u');
      for (const { params } of methods) {
        for (const { value, pointer } of params) {
          const name = textAt(value, 'name');
          if (expression.test(name)) continue;
          const message = `the name ${shown(name)} does not match ${pattern}`;
          yield { pointer: `${pointer}/name`, message };
        }
      }
    },
  }),
  rule('name-collision', ['warning', 'error'], {
    title: 'Names differ by more than case and punctuation',
    protects:
      'Code generators change names to the style of their language; names that become equal get a suffix, or one replaces the other.',
    source: openrpc(
      'method-object',
      'names are unique byte for byte only. For methods called foo_bar and fooBar, @open-rpc/typings writes the type FooBar twice',
    ),
    fix: 'rename one of them',
    bad: `methods:
  - name: get_user
  - name: getUser`,
    good: `methods:
  - name: getUser
  - name: getUsers`,
    *check(context) {
      const { methods } = context;
      const named = methods.map(({ name, place }) => ({ name, pointer: place }));
      yield* collisions(named, 'method', camelCase);
      for (const { params } of methods) {
        const own = params.map(({ value, place }) => ({
          name: textAt(value, 'name'),
          pointer: place,
        }));
        yield* collisions(own, 'parameter', camelCase);
      }
      yield* collisions(ownSchemas(context), 'schema', pascalCase);
    },
  }),
  rule('schema-title-unique', ['warning', 'error'], {
    title: 'Titles of component schemas are unique',
    protects:
      'The official generator and many others name types by title: two schemas with the same title become one type.',
    source: openrpc(
      'schema-object',
      'schemas are identified by their keys. For two schemas titled Block, @open-rpc/typings writes only one type Block, for the first',
    ),
    fix: 'give each a unique title',
    bad: `components:
  schemas:
    Block: { title: Block, type: object }
    BlockHeader: { title: Block, type: object }`,
    good: `components:
  schemas:
    Block: { title: Block, type: object }
    BlockHeader: { title: Header of a block, type: object }`,
    *check(context) {
      const titles = new Map<string, string>();
      for (const { name, schema, pointer } of ownSchemas(context)) {
        const own = isObject(schema) ? textAt(schema, 'title') : '';
        const other = titles.get(own);
        if (other !== undefined) {
          const message = `"${name}" has the same title as "${other}": ${shown(own)}`;
          yield { pointer: `${pointer}/title`, message };
        } else if (own !== '') titles.set(own, name);
      }
    },
  }),
];

function* collisions(
  named: readonly { readonly name: string; readonly pointer: string }[],
  noun: string,
  write: (name: string) => string,
): Generator<RuleFinding> {
  const first = new Map<string, string>();
  for (const { name, pointer } of named) {
    const written = write(name);
    const other = first.get(written);
    if (other === undefined) first.set(written, name);
    else if (other !== name) {
      yield {
        pointer,
        message: `the ${noun} "${name}" and the ${noun} "${other}" both become "${written}" in code`,
      };
    }
  }
}
