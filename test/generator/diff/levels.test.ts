import { describe, expect, test } from 'vitest';
import type { Levels } from '../../../generator/levels/levels.ts';
import { runSpecgate } from '../cli/in-process.ts';
import { documentOf, methodOf, type Document } from '../support/document.ts';
import { temporaryFolder } from '../support/folder.ts';
import { diffOf } from './support/documents.ts';

const param = (type: string | readonly string[]) => ({ type });
const old = documentOf([
  methodOf('eth_a', param(['string', 'null'])),
  methodOf('debug_b', param(['string', 'null'])),
]);
const fresh = documentOf([
  methodOf('eth_a', param('string')),
  methodOf('debug_b', param('string')),
]);

const KIND = 'request-null-disallowed';

async function levelsIn(levels: Levels, documents = { old, fresh }) {
  const { changes, version } = await diffOf(documents.old, documents.fresh, { levels });
  const found = changes.filter(({ kind }) => kind === KIND);
  return { found: found.map(({ severity, methods }) => [severity, methods]), version };
}

describe('levels of kinds', () => {
  test('change the severity of changes, and the version that they require', async () => {
    expect(await levelsIn({ rules: { [KIND]: 'warning' } })).toMatchObject({
      found: [['warning', ['eth_a', 'debug_b']]],
      version: { required: 'minor' },
    });
    const more = documentOf([...(old['methods'] as Document[]), methodOf('c', {})]);
    const levels = { rules: { 'method-added': 'error' } } as const;
    const { changes, version } = await diffOf(old, more, { levels });
    expect(changes[0]).toMatchObject({ kind: 'method-added', severity: 'error', bump: 'major' });
    expect(version.required).toBe('major');
  });

  test('switch changes off, which then require no version', async () => {
    expect(await levelsIn({ rules: { [KIND]: 'off' } })).toMatchObject({
      found: [],
      version: { required: 'none' },
    });
  });

  test('differ by method and by place', async () => {
    const overrides = [{ at: 'debug_*', rules: { [KIND]: 'info' } }] as const;
    expect((await levelsIn({ overrides })).found).toEqual([
      ['error', ['eth_a']],
      ['info', ['debug_b']],
    ]);
    const byPlace = [{ at: '/methods/0/params', rules: { [KIND]: 'off' } }] as const;
    expect((await levelsIn({ overrides: byPlace })).found).toEqual([['error', ['debug_b']]]);
  });

  test('are the highest of the affected methods for a shared schema', async () => {
    const shared = (schema: object) =>
      documentOf(
        ['eth_a', 'debug_b'].map((name) => methodOf(name, { $ref: '#/components/schemas/Id' })),
        { components: { schemas: { Id: schema } } },
      );
    const documents = { old: shared(param(['string', 'null'])), fresh: shared(param('string')) };
    const overrides = [{ at: 'debug_*', rules: { [KIND]: 'off' } }] as const;
    expect((await levelsIn({ overrides }, documents)).found).toEqual([
      ['error', ['eth_a', 'debug_b']],
    ]);
  });

  test('do not concern approvals: an approved change is an info', async () => {
    const approvals = [{ kind: KIND, method: 'eth_a', reason: 'agreed', until: '2027-01-01' }];
    const levels = { rules: { [KIND]: 'warning' } } as const;
    const { changes, unused } = await diffOf(old, fresh, { approvals, levels });
    const found = changes.filter(({ kind }) => kind === KIND);
    expect(found.map(({ severity, methods }) => [severity, methods])).toEqual([
      ['warning', ['debug_b']],
      ['info', ['eth_a']],
    ]);
    expect(unused).toEqual([]);
  });
});

describe('the command line', () => {
  const folder = (config: string) =>
    temporaryFolder([
      ['old.json', JSON.stringify(old)],
      ['new.json', JSON.stringify(fresh)],
      ['specgate.config.yaml', config],
    ]);
  const diff = (config: string, ...args: string[]) =>
    runSpecgate(['diff', 'old.json', 'new.json', ...args], { cwd: folder(config) });

  test('applies the levels of the project file, and its own over them', async () => {
    const config = `diff:
  rules: { version-not-raised: off }
  overrides: [{ at: '*', rules: { ${KIND}: info } }]`;
    const { status, stdout } = await diff(config);
    expect({ status, stdout }).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('1 note'),
    });
    expect((await diff(config, '--rule', `${KIND}=error`)).status).toBe(1);
    const rules = await diff(config, '--rule', `${KIND}=off`, '--format', 'sarif');
    expect(rules.stdout).toContain('"id": "request-null-allowed"');
    expect(rules.stdout).not.toContain('version-not-raised');
  });

  test('refuses an unknown kind, with the most similar one', async () => {
    expect(await diff('', '--rule', 'request-null-disallowd=off')).toMatchObject({
      status: 2,
      stderr:
        '--rule: unknown kind of change "request-null-disallowd"; did you mean "request-null-disallowed"?\n',
    });
    const approved = `diff: { approved: [{ kind: method-aded, reason: x, until: 2027-01-01 }] }`;
    expect((await diff(approved)).stdout).toContain(
      'fix: unknown kind of change "method-aded"; did you mean "method-added"?',
    );
  });

  test('makes undecided comparisons errors whatever the project file says', async () => {
    const cwd = temporaryFolder([
      ['old.json', JSON.stringify(documentOf([methodOf('a', { type: 'string' })]))],
      [
        'new.json',
        JSON.stringify(documentOf([methodOf('a', { type: 'string', format: 'email' })])),
      ],
      ['specgate.config.yaml', 'diff: { rules: { request-schema-undecided: off } }'],
    ]);
    const run = (...args: string[]) =>
      runSpecgate(['diff', 'old.json', 'new.json', ...args], { cwd });
    expect((await run()).stdout).not.toContain('undecided');
    expect((await run('--undecided', 'error')).status).toBe(1);
  });

  test('writes release notes with the levels of the project file', async () => {
    const cwd = folder(`diff: { rules: { ${KIND}: off } }`);
    const { stdout } = await runSpecgate(['changelog', 'old.json', 'new.json'], { cwd });
    expect(stdout).toContain('Nothing changed.');
  });
});
