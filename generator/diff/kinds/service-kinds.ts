import type { Json } from '../../../common/json/value.ts';
import { pair } from './pair.ts';
import { ADDS, BREAKS, kind, INFORMS, WARNS, type Fragment, type Kind } from './kind.ts';

const info = (version: string, more: object = {}): Fragment => ({
  document: { info: { title: 'Demo', version, ...more } },
});
const document = (key: string, value: Json): Fragment => ({ document: { [key]: value } });
const server = (more: object = {}): Json => ({
  name: 'main',
  url: 'https://rpc.example.org',
  ...more,
});
const second: Json = { name: 'second', url: 'https://rpc2.example.org' };
const variable = (more: object) =>
  server({
    url: 'https://{region}.example.org',
    variables: { region: { default: 'eu', ...more } },
  });

const NOTHING = 'nothing';

/** Kinds of changes of the document as a whole: its version, what is said of it, its servers. */
export const serviceKinds: readonly Kind[] = [
  kind('version-bump-too-small', {
    title: 'info.version does not say that calls break',
    impact: BREAKS,
    section: 'changed',
    why: 'The version shows callers whether they can upgrade (semver): breaking changes require a new major (below 1.0.0, a new minor).',
    fix: 'raise info.version as asked',
    example: [
      info('1.0.0'),
      { document: { info: { title: 'Demo', version: '1.0.1' }, methods: [] } },
    ],
    reverse: 'version-lowered',
  }),
  kind('version-not-raised', {
    title: 'info.version is as it was, and something changed',
    impact: WARNS,
    section: 'changed',
    why: 'Callers identify documents by version (semver): additions require a new minor, documentation a new patch.',
    fix: 'raise info.version as asked, when you release',
    example: [{ document: {} }, document('externalDocs', { url: 'https://example.org/docs' })],
    reverse: 'version-not-raised',
  }),
  kind('version-lowered', {
    title: 'info.version is lower than before',
    impact: BREAKS,
    section: 'changed',
    why: 'A newer document with a lower version is taken for an older one.',
    fix: 'give the newer document a higher version, or compare them the other way round',
    example: [info('1.1.0'), info('1.0.0')],
    reverse: null,
  }),
  kind('version-not-semver', {
    title: 'info.version does not follow semver',
    impact: WARNS,
    section: 'changed',
    why: 'It cannot be determined whether it was raised enough.',
    fix: 'number versions as https://semver.org says, such as 1.2.0',
    example: [info('1.0.0'), info('newest')],
    reverse: null,
  }),
  kind('info-changed', {
    title: 'what is said of the service for readers changed',
    impact: INFORMS,
    section: 'documentation',
    why: 'Title, description and contact do not travel.',
    fix: NOTHING,
    example: [info('1.0.0'), info('1.0.1', { description: 'New.' })],
    reverse: 'info-changed',
  }),
  kind('terms-changed', {
    title: 'license or terms of service changed',
    impact: WARNS,
    section: 'changed',
    why: 'Callers agreed to the former ones.',
    fix: 'announce it to callers',
    example: [
      info('1.0.0', { termsOfService: 'https://example.org/terms/1' }),
      info('1.1.0', { termsOfService: 'https://example.org/terms/2' }),
    ],
    reverse: 'terms-changed',
  }),
  kind('openrpc-version-changed', {
    title: 'the document follows another version of OpenRPC',
    impact: INFORMS,
    section: 'documentation',
    why: 'Tools that read the document have to know it.',
    fix: 'make sure that the tools in use read it',
    example: [{ document: {} }, document('openrpc', '1.2.6')],
    reverse: 'openrpc-version-changed',
  }),
  ...pair(
    {
      id: 'server-removed',
      title: 'a server is gone',
      impact: BREAKS,
      why: 'Calls to it fail.',
      fix: 'keep it until callers have moved on',
    },
    {
      id: 'server-added',
      title: 'a server was added',
      impact: ADDS,
      why: 'Those that were are as they were.',
      fix: NOTHING,
    },
    [document('servers', [server(), second]), document('servers', [server()])],
  ),
  kind('server-url-changed', {
    title: 'a server has another address',
    impact: BREAKS,
    section: 'changed',
    why: 'Calls to the former URL may fail. A transport or a version in the path counts too.',
    fix: 'keep the former address as well',
    example: [
      document('servers', [server()]),
      document('servers', [server({ url: 'https://new.example.org' })]),
    ],
    reverse: 'server-url-changed',
  }),
  ...pair(
    {
      id: 'server-variable-narrowed',
      title: 'a variable of an address allows less',
      impact: BREAKS,
      why: 'Addresses that callers use are gone.',
      fix: 'keep the values that were allowed',
    },
    {
      id: 'server-variable-widened',
      title: 'a variable of an address allows more',
      impact: ADDS,
      why: 'Addresses that were are as they were.',
      fix: NOTHING,
    },
    [
      document('servers', [variable({ enum: ['eu', 'us'] })]),
      document('servers', [variable({ enum: ['eu'] })]),
    ],
  ),
  kind('server-variable-default-changed', {
    title: 'a variable of an address stands for something else where it is not set',
    impact: WARNS,
    section: 'changed',
    why: 'Callers who did not set it reach another server than before.',
    fix: 'keep the default',
    example: [
      document('servers', [variable({ enum: ['eu', 'us'] })]),
      document('servers', [variable({ enum: ['eu', 'us'], default: 'us' })]),
    ],
    reverse: 'server-variable-default-changed',
  }),
  kind('server-docs-changed', {
    title: 'what is said of a server for readers changed',
    impact: INFORMS,
    section: 'documentation',
    why: 'Its name, summary and description do not travel.',
    fix: NOTHING,
    example: [
      document('servers', [server()]),
      document('servers', [server({ summary: 'The main one.' })]),
    ],
    reverse: 'server-docs-changed',
  }),
  kind('external-docs-changed', {
    title: 'external documentation changed',
    impact: INFORMS,
    section: 'documentation',
    why: 'It is for readers.',
    fix: NOTHING,
    example: [{ document: {} }, document('externalDocs', { url: 'https://example.org/docs' })],
    reverse: 'external-docs-changed',
  }),
];
