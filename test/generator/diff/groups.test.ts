import { describe, expect, test } from 'vitest';
import { sentenceOf } from '../../../generator/diff/report.ts';
import { runSpecgate } from '../cli/in-process.ts';
import { documentOf, methodOf } from '../support/document.ts';
import { temporaryFolder } from '../support/folder.ts';
import { diffOf } from './support/documents.ts';

const methods = ['a', 'b', 'c'];
const inPlace = (hash: unknown, more: object = {}) =>
  documentOf(
    methods.map((name) => ({
      ...methodOf(name, {}, { type: 'object', properties: { hash, parent: hash } }),
      ...more,
    })),
  );

function folderOf(old: unknown, fresh: unknown): string {
  return temporaryFolder([
    ['old.json', JSON.stringify(old, null, 2)],
    ['new.json', JSON.stringify(fresh, null, 2)],
  ]);
}

describe('the same change at several places', () => {
  test('is reported once, with its places and all methods', async () => {
    const { changes } = await diffOf(inPlace({ type: 'array' }), inPlace({ type: 'string' }));
    const errors = changes.filter(({ kind }) => kind === 'response-type-widened');
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ methods });
    expect(errors[0]!.others).toHaveLength(5);
    expect(sentenceOf(errors[0]!)).toBe(
      'a, result, .hash: the type changed from array to string; "" was not allowed before; the same at 5 more places (a, b and c)',
    );
  });

  test('is reported apart where it is approved', async () => {
    const reason = { reason: 'agreed', until: '2027-01-01' };
    const approvals = [{ kind: 'response-type-widened', method: 'b', ...reason }];
    const old = inPlace({ type: 'array' });
    const { changes } = await diffOf(old, inPlace({ type: 'string' }), { approvals });
    const found = changes.filter(({ kind }) => kind === 'response-type-widened');
    expect(found.map(({ severity, methods }) => [severity, methods])).toEqual([
      ['error', ['a', 'c']],
      ['info', ['b']],
    ]);
  });

  test('lists its places in JSON', async () => {
    const cwd = folderOf(inPlace({ type: 'array' }), inPlace({ type: 'string' }));
    const args = ['diff', 'old.json', 'new.json', '--format', 'json'];
    const { stdout } = await runSpecgate(args, { cwd });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly { others: object[] }[] };
    expect(diagnostics[0]!.others[0]).toMatchObject({
      subject: 'a, result, .parent',
      old: { file: 'old.json' },
      new: { file: 'new.json', pointer: '/methods/0/result/schema/properties/parent/type' },
    });
  });
});

test('the same change of several members of a schema is reported once, with their names', async () => {
  const block = (...names: readonly string[]) => {
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
    return documentOf(methods.map((name) => methodOf(name, {}, { type: 'object', properties })));
  };
  const { changes } = await diffOf(block('hash', 'Number', 'Time'), block('hash'));
  const removed = changes.filter(({ kind }) => kind === 'response-property-removed');
  expect(removed.map(sentenceOf)).toEqual([
    'a, result: the member Number is no longer described; the same for Time; the same at 2 more places (a, b and c)',
  ]);
  expect(removed[0]!.others).toHaveLength(5);
});

test('the errors that a method newly declares are reported once, and component schemas too', async () => {
  const errors = [1, 2, 3].map((code) => ({ code, message: `no ${code}` }));
  const old = documentOf([methodOf('a', {}), methodOf('b', {})]);
  const fresh = documentOf([{ ...methodOf('a', {}), errors }, methodOf('b', {})], {
    components: { schemas: { X: { type: 'string' }, Y: { type: 'integer' } } },
  });
  const { changes } = await diffOf(old, fresh);
  expect(changes.filter(({ kind }) => !kind.startsWith('version-')).map(sentenceOf)).toEqual([
    'a declares the error 1 (no 1); the same for 2 (no 2) and 3 (no 3)',
    'schema "X" was added; the same at 1 more place (schema "Y")',
  ]);
});

test('an error that several methods declare is reported once, apart from others of one of them', async () => {
  const error = (code: number) => ({ code, message: 'no' });
  const old = documentOf([methodOf('a', {}), methodOf('b', {})]);
  const fresh = documentOf([
    { ...methodOf('a', {}), errors: [error(1)] },
    { ...methodOf('b', {}), errors: [error(1), error(2)] },
  ]);
  const { changes } = await diffOf(old, fresh);
  expect(changes.filter(({ kind }) => kind === 'method-error-added').map(sentenceOf)).toEqual([
    'a declares the error 1 (no); the same at 1 more place (a and b)',
    'b declares the error 2 (no)',
  ]);
});

test('a replaced type is reported once, and not again as values that are newly allowed', async () => {
  const { changes } = await diffOf(inPlace({ type: 'array' }), inPlace({ type: 'string' }));
  expect(changes.map(({ kind }) => kind)).toEqual([
    'response-type-widened',
    'version-bump-too-small',
  ]);
});

test('two changes that say the same at one place are reported once', async () => {
  const server = (...enums: readonly (readonly string[])[]) => {
    const variables = Object.fromEntries(
      enums.map((values, at) => [`v${at}`, { enum: values, default: 'a' }]),
    );
    const servers = ['x', 'y'].map((name) => ({
      name,
      url: 'https://{v0}.example.org',
      variables,
    }));
    return documentOf([], { servers });
  };
  const { changes } = await diffOf(server(['a', 'b']), server(['a']));
  const found = changes.filter(({ kind }) => kind === 'server-variable-narrowed');
  expect(found.map(({ others }) => others.length)).toEqual([1]);
});

test('changes of documentation are counted, and listed with --all', async () => {
  const schema = { type: 'string' };
  const cwd = folderOf(inPlace(schema), inPlace(schema, { summary: 'Returns a hash.' }));
  const run = async (...args: string[]) =>
    (await runSpecgate(['diff', 'old.json', 'new.json', ...args], { cwd })).stdout;
  const short = await run();
  expect(short).not.toContain('method-docs-changed');
  expect(short).toContain('1 documentation change not listed; use --all to list them\n');
  expect(await run('--all')).toContain(
    'info method-docs-changed: a: summary changed; the same at 2 more places (a, b and c)',
  );
  expect(await run('--format', 'json')).toContain('method-docs-changed');
});

test('one method added to a document of 240, whose links all change, fits on a screen', async () => {
  const document = (count: number, version: string) =>
    documentOf(
      Array.from({ length: count }, (_, index) => ({
        ...methodOf(`m_${index}`, { type: 'string' }),
        externalDocs: { url: `https://example.org/${version}/m_${index}` },
      })),
    );
  const cwd = folderOf(document(240, 'v1'), document(241, 'v2'));
  const linesOf = async (verb: string) => {
    const { stdout } = await runSpecgate([verb, 'old.json', 'new.json'], { cwd });
    expect(stdout).toContain('m_240 was added');
    return stdout.split('\n').length;
  };
  expect(await linesOf('diff')).toBeLessThan(25);
  expect(await linesOf('changelog')).toBeLessThan(25);
});

test('undecided comparisons are counted, and exit with 1 on request', async () => {
  const param = (schema: object) => documentOf([methodOf('a', { type: 'string', ...schema })]);
  const cwd = folderOf(param({}), param({ format: 'email' }));
  const run = (...args: string[]) =>
    runSpecgate(['diff', 'old.json', 'new.json', ...args], { cwd });
  const { status, stdout } = await run();
  expect(status).toBe(0);
  expect(stdout).toContain('warning request-schema-undecided');
  expect(stdout).toContain('undecided: 1; --undecided error makes them errors\n');
  const strict = await run('--undecided', 'error', '--format', 'json');
  expect(strict.status).toBe(1);
  expect(JSON.parse(strict.stdout)).toMatchObject({
    clean: false,
    undecided: 1,
    version: { required: 'minor' },
    diagnostics: [{ code: 'request-schema-undecided', severity: 'error', bump: 'minor' }, {}],
  });
});
