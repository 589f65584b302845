/** The samples of the documentation, run as programs against the devnet. */
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { renderSamples } from '../../common/samples/render-samples.ts';
import { sampleMethods } from '../support/client-names.ts';
import { everyExample } from '../support/document.ts';
import { python } from '../python/support/python.ts';
import { hasProgram } from '../support/programs.ts';
import { runPython, runScripts, runShell, runWscat } from '../support/run-samples.ts';

const LANGUAGES: Readonly<Record<string, string>> = {
  curl: 'curl',
  wscat: 'wscat',
  fetch: 'script',
  client: 'script',
  viem: 'script',
  ethers: 'script',
  'solana-kit': 'script',
  python: 'python',
};

/** The samples of one call and the expected output. */
const calls = everyExample().filter(
  ({ example }) => example['x-error'] === undefined && example['x-setup'] === undefined,
);

interface Case {
  readonly label: string;
  readonly language: string;
  readonly code: string;
  readonly expected: unknown;
}

let cases: readonly Case[];
const printed = new Map<Case, unknown>();
const hasCurl = hasProgram('curl', 'the samples for curl');

beforeAll(async () => {
  const { networks } = inject('product');
  cases = calls.flatMap(({ method, example }) => {
    const name = example['x-network']!;
    const { http, ws } = networks[name as keyof typeof networks];
    const samples = renderSamples({
      method: sampleMethods.get(method.name)!,
      params: example.params.map(({ value }) => value),
      network: { name, http, ws },
    });
    return samples.map(({ id, code }) => ({
      label: `${method.name}, ${example.name}: ${id}`,
      language: id,
      code,
      expected: example.result?.value,
    }));
  });
  const runners: Readonly<
    Record<string, (codes: readonly string[]) => Promise<readonly unknown[]>>
  > = {
    curl: async (codes) => (hasCurl ? runShell(codes) : []),
    wscat: runWscat,
    script: runScripts,
    python: async (codes) => (python === null ? [] : runPython(python, codes)),
  };
  const running = Object.entries(runners).map(async ([program, runCodes]) => {
    const own = cases.filter(({ language }) => LANGUAGES[language] === program);
    const results = await runCodes(own.map(({ code }) => code));
    for (const [index, result] of results.entries()) printed.set(own[index]!, result);
  });
  await Promise.all(running);
});

describe('the samples of every example that has a result', () => {
  test.for(Object.keys(LANGUAGES))('%s gives the result of the example', (language, context) => {
    context.skip(language === 'python' && python === null, 'there is no python3 on PATH');
    context.skip(language === 'curl' && !hasCurl, 'there is no curl on PATH');
    const own = cases.filter((each) => each.language === language);
    expect(own.length).toBeGreaterThan(0);
    for (const each of own)
      expect(printed.get(each), `${each.label}\n${each.code}`).toEqual(each.expected);
  });

  test('are there for every method in every language that can make the call', () => {
    const families = new Map(calls.map(({ method }) => [method.name, method['x-network-family']]));
    for (const [name, family] of families) {
      const own = family === 'evm' ? ['viem', 'ethers'] : ['solana-kit'];
      const found = new Set(
        cases.filter(({ label }) => label.startsWith(`${name}, `)).map(({ language }) => language),
      );
      expect([...found].toSorted(), name).toEqual(
        ['curl', 'wscat', 'fetch', 'client', 'python', ...own].toSorted(),
      );
    }
  });
});
