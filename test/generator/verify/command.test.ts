import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Change } from '../../../bench/verify/reference.ts';
import { runSpecgate } from '../cli/in-process.ts';
import { temporaryFolder } from '../support/folder.ts';
import { shop, withShop } from './shop.ts';

const folder = temporaryFolder([
  ['openrpc.json', JSON.stringify(shop)],
  ['seeds.json', '{"Id":["0x5eed"]}'],
  ['list.json', '[]'],
]);

/** Gives a price that is not a number. */
const wrongPrice: Change = ({ call }) => ({
  call(each) {
    const value = call(each);
    return 'error' in value
      ? value
      : { result: value.result.replace('"price":12', '"price":"12"') };
  },
});

const run = (change: Change, ...args: string[]) =>
  withShop(change, ({ http, ws }) =>
    runSpecgate(['verify', http, '--ws', ws, ...args], { cwd: folder }),
  );

describe('specgate verify', () => {
  test('exits with 0 for a server that keeps its document, and prints the coverage', async () => {
    const { status, stdout, stderr } = await run(() => ({}));
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('no failures');
    expect(stdout).toMatch(/methods +2 of 2/);
    expect(stdout).toContain(
      'not called: put_item (not read-only (x-read-only, x-idempotent); pass --writes to call it)',
    );
  });

  test('exits with 1 and prints a command that reproduces the failure', async () => {
    await withShop(wrongPrice, async ({ http }) => {
      const args = ['verify', http, '--phase', 'examples'];
      const { status, stdout } = await runSpecgate(args, { cwd: folder });
      expect(status).toBe(1);
      expect(stdout).toContain('result/price: expected 12, got "12"');
      const command = /^ {2}(curl .*)$/m.exec(stdout)![1]!;
      expect(command).toContain(`'${http}'`);
      expect(command).toMatch(/--data-binary '\{"jsonrpc":"2\.0",.*"get_item".*\}'$/);
    });
  });

  test('writes reports for programs, with the place in the document', async () => {
    const json = JSON.parse((await run(wrongPrice, '--format', 'json')).stdout) as {
      clean: boolean;
      failures: { check: string; method: string; pointer: string; command: string }[];
    };
    expect(json.clean).toBe(false);
    expect(json.failures[0]).toMatchObject({
      check: 'example-response',
      method: 'get_item',
      pointer: '/methods/0/examples/0',
    });
    const { stdout } = await run(wrongPrice, '--format', 'sarif', '--phase', 'examples');
    const sarif = JSON.parse(stdout) as { runs: { results: { ruleId: string }[] }[] };
    expect(sarif.runs[0]!.results.map(({ ruleId }) => ruleId)).toEqual(['example-response']);
    const junit = (await run(wrongPrice, '--format', 'junit', '--phase', 'examples')).stdout;
    expect(junit).toContain('<failure type="example-response"');
  });

  test('uses the values of a file of seeds', async () => {
    const sent: string[] = [];
    const spy: Change = ({ call }) => ({
      call(each) {
        sent.push(JSON.stringify(each.params));
        return call(each);
      },
    });
    await run(spy, '--seeds', 'seeds.json');
    expect(sent).toContain('["0x5eed"]');
  });

  test.each([
    [['--seeds', 'list.json'], 'list.json: invalid seeds file'],
    [['--method', 'other'], 'no method matches the options'],
    [['--phase', 'other'], 'Allowed choices are fixtures, examples, protocol'],
    [['--max-calls', '0'], 'Expected a whole number'],
  ])('exits with 2 for %j', async (args, message) => {
    const { status, stderr } = await run(() => ({}), ...args);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining(message) as string,
    });
  });
});

test('the command of a failure is one that a shell runs', async () => {
  await withShop(wrongPrice, async ({ http }) => {
    const { stdout } = await runSpecgate(['verify', http, '--format', 'json'], { cwd: folder });
    const { failures } = JSON.parse(stdout) as { failures: { command: string }[] };
    // Only echoed: not every machine has curl.
    const words = execFileSync(
      'sh',
      ['-c', failures[0]!.command.replace('curl', 'printf "%s\\n"')],
      {
        cwd: join(folder),
        encoding: 'utf8',
      },
    );
    expect(words.split('\n').at(-2)).toMatch(/^\{"jsonrpc":"2\.0","id":\d+,"method":"get_item"/);
  });
});
