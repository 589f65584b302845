import type { Json } from '../../../common/json/value.ts';
import { ADDS, BREAKS, kind, INFORMS, WARNS, type Fragment } from './kind.ts';

const info = (version: string, more: object = {}): Fragment => ({
  document: { info: { title: 'Demo', version, ...more } },
});
const document = (key: string, value: Json): Fragment => ({ document: { [key]: value } });
const servers = (...list: readonly Json[]) => document('servers', list);
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

/** Kinds of changes of the document as a whole: version, metadata, servers. */
export const serviceKinds = [
  kind('version-bump-too-small', BREAKS, {
    title: 'info.version does not announce breaking changes',
    why: 'The version shows callers whether they can upgrade (semver): breaking changes require a new major (below 1.0.0, a new minor).',
    fix: 'raise info.version as required',
    example: [
      info('1.0.0'),
      { document: { info: { title: 'Demo', version: '1.0.1' }, methods: [] } },
    ],
    reverse: 'version-lowered',
  }),
  kind('version-not-raised', WARNS, {
    title: 'info.version was not raised although something changed',
    why: 'Callers identify documents by version (semver): additions require a new minor, documentation a new patch.',
    fix: 'raise info.version as required when you release',
    example: [{ document: {} }, document('externalDocs', { url: 'https://example.org/docs' })],
  }),
  kind('version-lowered', BREAKS, {
    title: 'info.version is lower than before',
    why: 'The newer document looks like an older one.',
    fix: 'raise the version of the newer document, or swap the documents',
    example: [info('1.1.0'), info('1.0.0')],
    reverse: null,
  }),
  kind('version-not-semver', WARNS, {
    title: 'info.version does not follow semver',
    why: 'Without semver, diff cannot check whether the version was raised enough.',
    fix: 'use a semantic version (https://semver.org) such as 1.2.0',
    example: [info('1.0.0'), info('newest')],
    reverse: null,
  }),
  kind('info-changed', INFORMS, {
    title: 'the documentation of the service changed',
    section: 'documentation',
    why: 'Title, description and contact are not sent.',
    example: [info('1.0.0'), info('1.0.1', { description: 'New.' })],
  }),
  kind('terms-changed', WARNS, {
    title: 'the license or the terms of service changed',
    why: 'Callers agreed to the old ones.',
    fix: 'announce it to callers',
    migration: 'read the new terms',
    example: [
      info('1.0.0', { termsOfService: 'https://example.org/terms/1' }),
      info('1.1.0', { termsOfService: 'https://example.org/terms/2' }),
    ],
  }),
  kind('openrpc-version-changed', INFORMS, {
    title: 'the version of OpenRPC changed',
    section: 'documentation',
    why: 'Tools that read the document have to support it.',
    fix: 'make sure that your tools support it',
    example: [{ document: {} }, document('openrpc', '1.2.6')],
  }),
  kind('server-removed', BREAKS, {
    title: 'a server was removed',
    why: 'Calls to it fail.',
    fix: 'keep it until callers have migrated',
    migration: 'call a different server',
    example: [servers(server(), second), servers(server())],
    reverse: 'server-added',
  }),
  kind('server-added', ADDS, {
    title: 'a server was added',
    why: 'Existing servers are not affected.',
    example: [servers(server()), servers(server(), second)],
    reverse: 'server-removed',
  }),
  kind('server-url-changed', BREAKS, {
    title: 'the URL of a server changed',
    why: 'Calls to the old URL may fail. This includes a change of the scheme or of a version in the path.',
    fix: 'keep the old URL as well',
    migration: 'call the new URL',
    example: [servers(server()), servers(server({ url: 'https://new.example.org' }))],
  }),
  kind('server-variable-narrowed', BREAKS, {
    title: 'a server variable allows fewer values',
    why: 'URLs that callers use no longer work.',
    fix: 'keep the allowed values',
    migration: 'use a remaining value',
    example: [servers(variable({ enum: ['eu', 'us'] })), servers(variable({ enum: ['eu'] }))],
    reverse: 'server-variable-widened',
  }),
  kind('server-variable-widened', ADDS, {
    title: 'a server variable allows more values',
    why: 'Existing URLs are not affected.',
    example: [servers(variable({ enum: ['eu'] })), servers(variable({ enum: ['eu', 'us'] }))],
    reverse: 'server-variable-narrowed',
  }),
  kind('server-variable-default-changed', WARNS, {
    title: 'the default of a server variable changed',
    why: 'Callers who do not set it reach a different server.',
    fix: 'keep the default',
    migration: 'set the variable explicitly if you rely on the old default',
    example: [
      servers(variable({ enum: ['eu', 'us'] })),
      servers(variable({ enum: ['eu', 'us'], default: 'us' })),
    ],
  }),
  kind('server-docs-changed', INFORMS, {
    title: 'the documentation of a server changed',
    section: 'documentation',
    why: 'Its name, summary and description are not sent.',
    example: [servers(server()), servers(server({ summary: 'The main one.' }))],
  }),
  kind('external-docs-changed', INFORMS, {
    title: 'external documentation changed',
    section: 'documentation',
    why: 'It is not sent.',
    example: [{ document: {} }, document('externalDocs', { url: 'https://example.org/docs' })],
  }),
];
