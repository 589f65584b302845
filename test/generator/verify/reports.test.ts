import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Change } from '../../../bench/verify/reference.ts';
import { readFixtures } from '../../../generator/verify/fixtures.ts';
import { findViolations } from '../../docs/browser/accessibility.ts';
import { startBrowser } from '../../support/browser.ts';
import { runSpecgate } from '../cli/in-process.ts';
import { temporaryFolder } from '../support/folder.ts';
import { shop, withShop } from './shop.ts';

const getItem = '{"jsonrpc":"2.0","id":7,"method":"get_item","params":["0x0a1b"]}';
const item = '{"jsonrpc":"2.0","id":7,"result":{"id":"0x0a1b","price":12,"owner":"0x00ff"}}';

const folder = temporaryFolder([
  ['openrpc.json', JSON.stringify(shop)],
  ['right/item.io', `// an item\n>> ${getItem}\n<< ${item}\n`],
  ['wrong/item.io', `>> ${getItem}\n<< ${item.replace('12', '13')}\n`],
  ['shape/item.io', `// speconly: prices change\n>> ${getItem}\n<< ${item.replace('12', '13')}\n`],
  ['empty/readme.md', ''],
  [
    'ci.json',
    JSON.stringify(shop).replaceAll(/"name":"get_item"|"title":"[^"]*"/g, (each) =>
      each.replace(':"', ':"::error::'),
    ),
  ],
]);

const run = (change: Change, ...args: string[]) =>
  withShop(change, ({ http }) => runSpecgate(['verify', http, ...args], { cwd: folder }));

const unchanged: Change = () => ({});
const wrongPrice: Change = ({ call }) => ({
  call(each) {
    const value = call(each);
    return 'error' in value
      ? value
      : { result: value.result.replace('"price":12', '"price":"<b>"') };
  },
});

function expectedFile(...entries: object[]): string {
  const file = join(folder, 'expected.json');
  writeFileSync(file, JSON.stringify(entries));
  return file;
}

describe('--expected-failures', () => {
  const known = {
    check: 'example-response',
    method: 'get_item',
    reason: 'prices are texts until May',
  };

  test('a listed failure does not fail the run', async () => {
    const args = ['--phase', 'examples', '--expected-failures', expectedFile(known)];
    const { status, stdout } = await run(wrongPrice, ...args);
    expect({ status, last: stdout.split('\n').at(-2) }).toEqual({
      status: 0,
      last: '1 expected failure',
    });
  });

  test('one that does not occur, and one that is not listed, fail the run', async () => {
    const args = ['--phase', 'examples', '--expected-failures'];
    const passed = await run(unchanged, ...args, expectedFile(known));
    expect(passed.status).toBe(1);
    expect(passed.stderr).toContain('get_item example-response: expected to fail, but passed');
    const other = expectedFile({ ...known, method: 'get_owner' });
    expect((await run(wrongPrice, ...args, other)).status).toBe(1);
  });

  test('an entry with params is about calls with these params only', async () => {
    const call = { ...known, params: ['0x0a1b'] };
    const args = ['--phase', 'examples', '--expected-failures'];
    expect((await run(wrongPrice, ...args, expectedFile(call))).status).toBe(0);
    expect((await run(wrongPrice, ...args, expectedFile(call), '--fail-fast')).status).toBe(0);
    const other = await run(wrongPrice, ...args, expectedFile({ ...known, params: ['0x0000'] }));
    expect(other.status).toBe(1);
    expect(other.stdout).toContain('get_item  example-response');
    expect(other.stderr).toContain('get_item example-response ["0x0000"]: expected to fail');
  });

  test.each([
    [{ check: 'example-response', method: null, reason: '' }],
    [{ check: 'example-response', method: null, reason: 'why', param: [] }],
  ])('a list without reasons or with other members is refused: %j', async (entry) => {
    const { status, stderr } = await run(unchanged, '--expected-failures', expectedFile(entry));
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining('invalid file of expected failures') as string,
    });
  });
});

describe('--fixtures', () => {
  const only = (name: string) => ['--phase', 'fixtures', '--fixtures', name];

  test('recorded responses are compared, of those marked speconly only the shape', async () => {
    expect((await run(unchanged, ...only('right'))).status).toBe(0);
    expect((await run(unchanged, ...only('shape'))).status).toBe(0);
    const { status, stdout } = await run(unchanged, ...only('wrong'));
    expect(status).toBe(1);
    expect(stdout).toContain('result/price: expected 13, got 12');
  });

  test('a folder without recorded requests is refused', async () => {
    const { status, stderr } = await run(unchanged, ...only('empty'));
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining('no recorded requests in empty') as string,
    });
  });

  test('a response marked speconly must match the schema, unless an error was recorded', async () => {
    const { status, stdout } = await run(wrongPrice, ...only('shape'));
    expect(status).toBe(1);
    expect(stdout).toContain('result-schema');
  });

  test('a file may have several exchanges, comments, and requests without params', () => {
    const text = `// one\n//speconly: a\n  >> {"id":1}\r\n<< {"id":1}\n\n>>{"id":2,"method":"a"}\n// two\n<<{"id":2}`;
    expect(readFixtures('a.io', text)).toEqual([
      { name: 'a.io 1', request: '{"id":1}', response: '{"id":1}', isSpecOnly: true },
      { name: 'a.io 2', request: '{"id":2,"method":"a"}', response: '{"id":2}', isSpecOnly: true },
    ]);
  });

  test.each([
    [
      '>> {"id":1,\n"method":"a"}\n<< {}',
      'a.io:2: expected the response to the previous request ("<<")',
    ],
    ['<< {}', 'a.io:1: expected a request (">>") or a comment ("//"), got << {}'],
    ['>> {}\n<< {}\n<< {}', 'a.io:3: expected a request (">>")'],
    ['>> {}\n<< {"a"', 'a.io:2: expected a response object in JSON, got {"a"'],
    ['>> {}', 'a.io: the last request has no response ("<<")'],
  ])('a file of another form is refused: %j', (text, problem) => {
    expect(readFixtures('a.io', text)).toContain(problem);
  });
});

test('--compare prints where servers differ, with the smallest call', async () => {
  await withShop(unchanged, async (first) => {
    const same = await runSpecgate(['verify', first.http, '--compare', first.ws], { cwd: folder });
    expect(same.status).toBe(0);
    const { status, stdout } = await run(wrongPrice, '--compare', first.http, '--max-calls', '40');
    expect(status).toBe(1);
    expect(stdout).toMatch(/^get_item +\d+\/20$/m);
    expect(stdout).toContain('get_item, server 2: result/price: expected "<b>", got 12');
    expect(stdout).toContain('"params":["0x0a1b"]');
  });
});

test('--skip-check leaves out a check', async () => {
  const args = ['--phase', 'examples', '--skip-check', 'example-response', 'result-schema'];
  expect((await run(wrongPrice, ...args)).status).toBe(0);
});

test('no line of the text is a command of a CI runner', async () => {
  const { stdout } = await run(wrongPrice, '--spec', 'ci.json', '--max-calls', '100');
  expect(stdout).toContain(String.raw`\u003a:error::get_item`);
  expect(stdout).not.toMatch(/^\s*::/m);
  const compared = await withShop(unchanged, ({ http }) =>
    run(wrongPrice, '--spec', 'ci.json', '--compare', http, '--max-calls', '40'),
  );
  expect(compared.stdout).toContain(String.raw`\u003a:error::get_item`);
  expect(compared.stdout).not.toMatch(/^\s*::/m);
});

test('the HTML page shows failures as text, without a barrier that axe-core knows, light and dark', async () => {
  const file = join(folder, 'verify.html');
  await run(wrongPrice, '--format', 'html', '--output', file, '--max-calls', '300');
  const html = readFileSync(file, 'utf8');
  expect(html).not.toMatch(/<b>"|(?:src|href)=/);
  await using started = await startBrowser();
  const page = await started.browser.newPage();
  await page.goto(pathToFileURL(file).href);
  expect(await page.locator('h3').first().innerText()).toContain('get_item');
  await page.evaluate(`document.querySelectorAll('details').forEach((each) => (each.open = true))`);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findViolations(page), colorScheme).toEqual([]);
  }
  await page.setViewportSize({ width: 360, height: 780 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
});
