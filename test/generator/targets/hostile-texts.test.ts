/**
 * No text of a document becomes code, wherever it is written to: what is generated from each document
 * is read by the languages themselves.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import MarkdownIt from 'markdown-it';
import { beforeAll, describe, expect, test } from 'vitest';
import { renderSamples } from '../../../common/samples/render-samples.ts';
import type { Json, Sample } from '../../../common/samples/sample.ts';
import { onOneLine } from '../../../common/escape/text.ts';
import type { JsonObject } from '../../../common/json/value.ts';
import { buildModel } from '../../../generator/model/build.ts';
import type { Model } from '../../../generator/model/model.ts';
import { renderTargets } from '../../../generator/output/render.ts';
import { networksOf } from '../../../generator/targets/docs/networks.ts';
import { createSampleMethod } from '../../../generator/targets/docs/site.ts';
import { loadTargets } from '../../../generator/targets/index.ts';
import { moduleName } from '../../../generator/targets/python/names.ts';
import { python } from '../../python/support/python.ts';
import { atScale, seedOfCases } from '../../support/soak.ts';
import { temporaryFolder, typeErrors, writeInto } from '../support/folder.ts';
import { CANARY, hostileDocuments } from '../support/hostile-texts.ts';
import { pagesOf, renderSite, unsafeMarkup } from './docs/support.ts';

const targets = await loadTargets();
const seed = seedOfCases();
const documents = hostileDocuments(seed, atScale(12, 2));
const support = join(import.meta.dirname, '../support');

/** A file may have any name too, and the first line of what is generated says it. */
const SOURCE = `a\r\n\u2028 */ --> """ ${CANARY}.json`;

interface Case {
  readonly model: Model;
  readonly path: string;
  readonly files: ReadonlyMap<string, string>;
  /** By method, what its examples are called with and the code of that call. */
  readonly calls: readonly {
    readonly params: Json;
    readonly name: string;
    readonly samples: readonly Sample[];
  }[];
}

let folder: string;
const cases: Case[] = [];

const codesOf = ({ calls }: Case, ...ids: readonly string[]) =>
  calls.flatMap(({ samples }) => samples.filter(({ id }) => ids.includes(id)));

beforeAll(async () => {
  folder = temporaryFolder();
  for (const [index, document] of documents.entries()) {
    // Without the checks of a document, which would refuse some of the texts before a target sees them.
    const model = buildModel(structuredClone(document) as JsonObject);
    const path = `${folder}/document-${index}`;
    const files = await render(model);
    for (const [file, text] of files) writeInto(path, file, text);
    cases.push({ model, path, files, calls: callsOf(model) });
  }
  for (const each of cases) {
    for (const [index, { id, code }] of each.calls.flatMap(({ samples }) => samples).entries()) {
      const isScript = ['fetch', 'client', 'viem', 'ethers', 'solana-kit'].includes(id);
      if (isScript) writeInto(each.path, `samples/sample-${index}-${id}.mjs`, code);
    }
  }
}, 300_000);

/** Formats only in soak runs: formatting takes most of the time. */
async function render(model: Model): Promise<ReadonlyMap<string, string>> {
  if (atScale(true, false)) return renderTargets(model, targets, { source: SOURCE });
  const files = new Map<string, string>();
  for (const target of targets) {
    for (const file of await target.render(model, { source: SOURCE })) files.set(...file);
  }
  return files;
}

function callsOf(model: Model): Case['calls'] {
  const sampleMethod = createSampleMethod(model, targets);
  return model.methods.map((method) => {
    const values = method.examples[0]?.params ?? [];
    const params =
      method.paramStructure === 'by-name'
        ? Object.fromEntries(values.map(({ name, value }) => [name, value]))
        : values.map(({ value }) => value);
    const samples = networksOf(model).flatMap((network) =>
      renderSamples({ method: sampleMethod(method), params: params as never, network }),
    );
    return { params: params as Json, name: method.name, samples };
  });
}

describe(`${documents.length} documents of hostile texts, those of chance from seed ${seed}`, () => {
  test('TypeScript compiles', () => {
    expect(typeErrors(folder)).toBe('');
  });

  test('modules and samples run without side effects', () => {
    const input = cases.map(({ path, files, calls }) => ({
      modules: [...files.keys()]
        // The reference server takes a package, and has no text of a document beside the banner.
        .filter((file) => /\.[jt]s$/.test(file) && !/\.d\.ts$|reference/.test(file))
        .filter((file) => !/runtime/.test(file) || /facts/.test(file))
        .map((file) => pathToFileURL(join(path, file)).href),
      samples: calls
        .flatMap(({ samples }) => samples)
        .flatMap(({ id }, index) => [
          pathToFileURL(join(path, `samples/sample-${index}-${id}.mjs`)).href,
        ])
        .filter((url) => existsSync(new URL(url))),
    }));
    const found = run(process.execPath, [join(support, 'import-hostile.js')], input) as readonly {
      failures: readonly string[];
      canary: boolean;
      methods: readonly string[];
      calls: readonly (readonly (readonly Json[])[])[];
    }[];
    expect(found.map(({ failures, canary }) => [...failures, canary])).toEqual(
      cases.map(() => [false]),
    );
    for (const [index, { methods, calls }] of found.entries()) {
      expect(methods).toEqual(cases[index]!.model.methods.map(({ name }) => name));
      expect(calls.every((each) => each.length > 0)).toBe(true);
      const bodies = calls
        .flat()
        .flatMap(([callee, , options]) =>
          callee === 'fetch' ? [JSON.parse((options as { body: string }).body) as Json] : [],
        );
      expectCalls(bodies, cases[index]!, 'fetch');
    }
  });

  const commentsIn = (end: string, expression: RegExp): readonly string[] =>
    cases.flatMap(({ files }) =>
      [...files].flatMap(([file, text]) =>
        file.endsWith(end) ? [...text.matchAll(expression)].map(([comment]) => comment) : [],
      ),
    );

  /** What viewers of comments would show as HTML, or copy into a site. */
  function activeMarkup(text: string): readonly string[] {
    const markdown = new MarkdownIt({ html: true });
    // Of a link that is not allowed, only the text would be left.
    markdown.validateLink = () => true;
    return markdown
      .parse(text, {})
      .flatMap((token) => [token, ...(token.children ?? [])])
      .flatMap((token) => {
        if (token.type.startsWith('html')) return [token.content];
        const target = (token.attrGet('href') ?? token.attrGet('src')) as string | null;
        return target === null || /^(?:https?:\/\/|mailto:|#)/.test(target) ? [] : [target];
      });
  }

  test('comments of TypeScript have no HTML, no links to files and no tags of a document', () => {
    const comments = commentsIn('.ts', /^ *\/\*\*.*?\*\/$/gms);
    const texts = comments.map((comment) => comment.replaceAll(/^ *(?:\/\*\*| \*\/?) ?/gm, ''));
    expect(texts.some((text) => text.includes('<script>'))).toBe(true);
    expect(texts.flatMap(activeMarkup)).toEqual([]);
    expect(texts.filter((text) => /\{@/.test(text))).toEqual([]);
  });

  test('docstrings of Python have no HTML, no links to files and no markup of reStructuredText', () => {
    const docstrings = commentsIn('.py', /^ *"""(?:[^"\\]|\\.|"(?!""))*"""$/gms);
    expect(docstrings.some((text) => text.includes('>>>'))).toBe(true);
    for (const text of docstrings) {
      expect(text).not.toMatch(/(?<![\p{L}\p{N}.\\])(?:>>>|\.\.|__)(?=\s|$)/mu);
      expect(text).not.toMatch(/:`|`_|`:[^\s:`]+:|javascript:/);
    }
    const texts = docstrings.map((text) => text.replaceAll(/\\(.)/g, '$1'));
    expect(texts.flatMap(activeMarkup)).toEqual([]);
  });

  test.skipIf(python === null)(
    'packages of Python, and samples, import and do nothing else',
    () => {
      const input = cases.map((each) => ({
        path: join(each.path, 'python'),
        module: moduleName(each.model),
        samples: codesOf(each, 'python').map(({ code }) => code),
      }));
      const found = run(python!, [join(support, 'import_hostile.py')], input) as readonly {
        failure: string | null;
        canary: boolean;
        methods: readonly string[];
        calls: readonly (readonly [url: string, call: readonly Json[]])[];
      }[];
      expect(found.map(({ failure, canary }) => [failure, canary])).toEqual(
        cases.map(() => [null, false]),
      );
      for (const [index, { methods, calls }] of found.entries()) {
        const { model } = cases[index]!;
        expect(methods).toEqual(model.methods.map(({ name }) => name));
        const expected = cases[index]!.calls.flatMap(({ params, name, samples }) =>
          samples
            .filter(({ id }) => id === 'python')
            .map(() => (Array.isArray(params) ? params : [name, params])),
        );
        expect(calls.map(([, [, ...given]]) => given)).toEqual(expected);
        expect(calls.every(([url]) => /^https?:/.test(url))).toBe(true);
      }
    },
  );

  test('shell samples are one command each, with the shown arguments', () => {
    const bin = temporaryFolder([
      ['curl', `#!/bin/sh\nprintf '%s\\0' "$@"\n`],
      ['npx', `#!/bin/sh\nprintf '%s\\0' "$@"\n`],
      ['touch', `#!/bin/sh\n: > ${CANARY}\n`],
    ]);
    for (const program of ['curl', 'npx', 'touch']) chmodSync(join(bin, program), 0o755);
    const shell = ['/bin/bash', '/usr/bin/bash', '/bin/sh'].find((path) => existsSync(path))!;
    for (const each of cases) {
      const samples = codesOf(each, 'curl', 'wscat');
      const script = samples.map(({ code }) => `${code}\nprintf '\\n'\n`).join('');
      const { stdout, stderr, status } = spawnSync(shell, ['-s'], {
        cwd: each.path,
        env: { PATH: bin },
        input: script,
        encoding: 'utf8',
      });
      expect([status, stderr]).toEqual([0, '']);
      expect(existsSync(join(each.path, CANARY))).toBe(false);
      const words = stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\0').slice(0, -1));
      expect(words).toHaveLength(samples.length);
      const bodies = words.map((list) => JSON.parse(list.at(-1)!) as Json);
      expectCalls(bodies, each, 'curl', 'wscat');
      const urls = words.map((list) => (list[0] === '-s' ? list[1]! : list[2]!));
      for (const url of urls) expect(url).toMatch(/^(?:https?|wss?):\/\//);
    }
  });

  test('data files hold the texts of the document', () => {
    for (const { model, files } of cases) {
      expect(JSON.parse(files.get('server/document.json')!)).toEqual(model.document);
      const { description } = JSON.parse(files.get('client/package.json')!) as Record<
        string,
        string
      >;
      expect(description).toBe(onOneLine(`Typed JSON-RPC client for ${model.info.title}`));
    }
  });

  test('code and data have no hidden characters', () => {
    for (const [index, { files, calls }] of cases.entries()) {
      const texts = [
        ...files,
        ...calls.flatMap(({ samples }) => samples.map(({ id, code }) => [id, code] as const)),
      ];
      for (const [path, text] of texts) {
        const hidden = /[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]--[\n\t\u200c\u200d]]/v.exec(text);
        const place = hidden && JSON.stringify(text.slice(hidden.index - 60, hidden.index + 2));
        expect(place, `document ${index}, ${path}`).toBeNull();
      }
    }
  });

  test('documentation pages have no element, handler or link from a text', async () => {
    for (const { model } of cases.slice(0, atScale(cases.length, 1))) {
      for (const { path, html } of pagesOf(await renderSite(model))) {
        expect(unsafeMarkup(html), path).toEqual([]);
      }
    }
  });
});

/** Holds the requests that samples make to the calls they were made from, sample by sample. */
function expectCalls(bodies: readonly Json[], { calls }: Case, ...ids: readonly string[]): void {
  const expected = calls.flatMap(({ name, params, samples }) =>
    samples
      .filter(({ id }) => ids.includes(id))
      .map(() => ({ jsonrpc: '2.0', id: 1, method: name, params })),
  );
  expect(bodies).toEqual(expected);
}

function run(program: string, args: readonly string[], cases: unknown): unknown {
  const { stdout, stderr, status } = spawnSync(program, args, {
    input: JSON.stringify([CANARY, cases]),
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    timeout: 110_000,
  });
  if (status !== 0)
    throw new Error(`${program} ended with ${String(status)}: ${stderr.slice(-2000)}`);
  return JSON.parse(stdout) as unknown;
}
