import isVersion from 'semver/functions/valid.js';
import type { JsonObject } from '../../../common/json/value.ts';
import { joinPointer } from '../../../common/json/pointer.ts';
import { textAt } from '../../model/member.ts';
import { isServerUrl } from '../../model/server-address.ts';
import { listAt, objectAt } from '../../schema/document-schemas.ts';
import { shown, type LintContext } from '../context.ts';
import { openrpc, rule, type RuleFinding } from '../rule.ts';

export const metadata = [
  rule('info-version-semver', ['warning', 'error'], {
    title: 'info.version is a semantic version',
    protects: 'Only semantic versions show whether a new version may break callers.',
    source: openrpc(
      'info-object',
      'info.version is the version of the document; only openrpc is required to be a semantic version',
    ),
    fix: 'write it as MAJOR.MINOR.PATCH',
    bad: `info: { title: Users, version: v2 }
methods: []`,
    good: `info: { title: Users, version: 2.0.0 }
methods: []`,
    *check({ document }) {
      const own = textAt(objectAt(document, 'info'), 'version');
      if (/^\d\S*$/.test(own) && isVersion(own) !== null) return;
      yield { pointer: '/info/version', message: `${shown(own)} is not a semantic version` };
    },
  }),
  rule('openrpc-released', ['warning', 'error'], {
    title: 'openrpc is a released version of OpenRPC',
    protects: 'Release candidates are obsolete, and tools treat them differently.',
    source: openrpc(
      'openrpc-version',
      'openrpc is the version of the specification. All six documents of @open-rpc/examples 1.7.2 say 1.0.0-rc1',
    ),
    fix: 'write a released version, such as 1.3.2',
    bad: `openrpc: 1.0.0-rc1
methods: []`,
    good: `openrpc: 1.3.2
methods: []`,
    *check({ document }) {
      const own = textAt(document, 'openrpc');
      if (own.includes('-'))
        yield { pointer: '/openrpc', message: `${own} is not a released version of OpenRPC` };
    },
  }),
  rule('info-described', ['off', 'warning'], {
    title: 'info has a description and a license',
    protects:
      'Both are on the first page of the documentation, and companies check the license first.',
    source: openrpc('info-object', 'description and license describe the API'),
    fix: 'add info.description and info.license',
    bad: `info: { title: Users, version: 1.0.0 }
methods: []`,
    good: `info:
  title: Users
  version: 1.0.0
  description: Who uses the service.
  license: { name: Apache-2.0 }
methods: []`,
    *check({ document }) {
      const info = objectAt(document, 'info');
      for (const key of ['description', 'license']) {
        if (key in info) continue;
        yield { pointer: '/info', message: `info has no ${key}`, fix: `add info.${key}` };
      }
    },
  }),
  rule('server-variables', ['error', 'error'], {
    title: 'Server URLs and variables match',
    protects: 'A URL with an undescribed variable cannot be called.',
    source: openrpc(
      'server-object',
      'the values of variables are passed into the runtime expression to produce a server URL',
    ),
    fix: 'describe every variable of the URL and use every described variable',
    bad: `servers:
  - name: main
    url: 'https://\${region}.example.org'
    variables: { zone: { default: eu } }
methods: []`,
    good: `servers:
  - name: main
    url: 'https://\${zone}.example.org'
    variables: { zone: { default: eu, enum: [eu, us] } }
methods: []`,
    *check(context) {
      for (const { server, pointer } of serversOf(context))
        yield* variableFindings(server, pointer);
    },
  }),
  rule('server-url', ['error', 'error'], {
    title: 'Server URLs are valid',
    protects: '"localhost:8545" is read as the scheme "localhost": no client can call it.',
    source: openrpc(
      'server-object',
      'url is the URL of the target host, absolute or relative to the document',
    ),
    fix: 'start it with a scheme such as https:// or wss://',
    bad: `servers: [{ name: local, url: 'localhost:8545' }]
methods: []`,
    good: `servers: [{ name: local, url: 'http://localhost:8545' }]
methods: []`,
    *check(context) {
      for (const { server, pointer } of serversOf(context)) {
        const url = textAt(server, 'url');
        const at = `${pointer}/url`;
        if (/^[\w.-]+:\d+(?:[/?#]|$)/.test(url))
          yield { pointer: at, message: `${shown(url)} is a host and a port without a scheme` };
        else if (/\s/.test(url.replaceAll(/\{[^{}]*\}/g, '')))
          yield { pointer: at, message: `${shown(url)} has a space in it` };
        else if (!isServerUrl(url))
          yield { pointer: at, message: `${shown(url)} is not a valid URL` };
      }
    },
  }),
  rule('server-url-relative', ['warning', 'warning'], {
    title: 'Server URLs are absolute',
    protects:
      'A relative URL depends on where the document was downloaded from: a reader of a copy does not know which address to call.',
    source: openrpc(
      'server-object',
      'the URL may be relative to the location where the document is being served',
    ),
    fix: 'write the whole URL, with variables for the parts that differ',
    bad: `servers: [{ name: main, url: /rpc }]
methods: []`,
    good: `servers: [{ name: main, url: 'https://example.org/rpc' }]
methods: []`,
    *check(context) {
      for (const { server, pointer } of serversOf(context)) {
        const { url } = server;
        if (typeof url !== 'string') continue;
        const isRelative = !/^(?:\$?\{[^{}]*\}|[\w.+-]+:)/.test(url);
        if (!isRelative || !isServerUrl(url)) continue;
        yield { pointer: `${pointer}/url`, message: `${shown(url)} is a relative URL` };
      }
    },
  }),
];

function* serversOf({ document, methods }: LintContext) {
  for (const { value, pointer } of [{ value: document, pointer: '' }, ...methods]) {
    for (const [index, server] of listAt(value, 'servers').entries())
      yield { server, pointer: `${pointer}/servers/${index}` };
  }
}

function* variableFindings(server: JsonObject, pointer: string): Generator<RuleFinding> {
  const declared = objectAt(server, 'variables');
  const used = [...textAt(server, 'url').matchAll(/\$?\{([^{}]+)\}/g)].map(([, name]) =>
    name!.trim(),
  );
  for (const name of new Set(used)) {
    if (Object.hasOwn(declared, name)) continue;
    const message = `the variable "${name}" of the URL is not described`;
    yield { pointer: `${pointer}/url`, message };
  }
  for (const name of Object.keys(declared)) {
    const at = joinPointer(`${pointer}/variables`, name);
    if (!used.includes(name))
      yield { pointer: at, message: `the URL does not use the variable "${name}"` };
    const variable = objectAt(declared, name);
    const allowed = variable['enum'];
    if (!Array.isArray(allowed) || allowed.includes(variable['default'])) continue;
    const message = `the default of "${name}" is not in its enum`;
    yield { pointer: `${at}/default`, message };
  }
}
