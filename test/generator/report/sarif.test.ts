import type { Diagnostic } from '../../../common/diagnostic.ts';
import { expect, test } from 'vitest';
import { toReportRule } from '../../../generator/lint/describe.ts';
import { activeRules } from '../../../generator/lint/settings.ts';
import { renderReport } from '../../../generator/report/render.ts';

interface Located {
  readonly artifactLocation: { readonly uri: string; readonly uriBaseId?: string };
  readonly region?: { readonly startLine: number; readonly startColumn: number };
}

interface Log {
  readonly version: string;
  readonly runs: readonly {
    readonly tool: {
      readonly driver: {
        readonly semanticVersion: string;
        readonly rules: readonly {
          readonly id: string;
          readonly shortDescription: { readonly text: string };
          readonly help: { readonly text: string };
          readonly helpUri?: string;
          readonly defaultConfiguration: { readonly level: string };
        }[];
      };
    };
    readonly results: readonly {
      readonly ruleId: string;
      readonly ruleIndex: number;
      readonly level: string;
      readonly message: { readonly text: string };
      readonly locations: readonly { readonly physicalLocation: Located }[];
    }[];
  }[];
}

const rules = activeRules({ extends: 'strict' }).map(toReportRule);
const files = [
  'a b.json',
  'half\ud800.json',
  '../up.yaml',
  '/else/where.json',
  '<stdin>',
  'https://e.org/x.json',
];
const diagnostics = files.flatMap((file) =>
  rules.map(({ id, severity }, index): Diagnostic => ({
    code: id,
    severity,
    message: `wrong in ${file}`,
    fix: 'fix it',
    location: {
      file,
      line: index === 0 ? null : index,
      column: index === 0 ? null : 1,
      pointer: index === 0 ? null : `/methods/${index}`,
    },
  })),
);
const root = '/project';
const report = {
  verb: 'lint',
  version: '1.2.3',
  files,
  rules,
  diagnostics,
  texts: new Map(),
  root,
};
const log = JSON.parse(renderReport(report, 'sarif')) as Log;
const [run] = log.runs;
const { driver } = run!.tool;

test('a log says which version of SARIF it is in, and of which version the tool is (3.13.2, 3.19.12)', () => {
  expect(log.version).toBe('2.1.0');
  expect(driver.semanticVersion).toMatch(/^\d+\.\d+\.\d+/);
});

test('rules are there once, with texts, a level that SARIF has and an absolute address (3.49)', () => {
  expect(new Set(driver.rules.map(({ id }) => id)).size).toBe(rules.length);
  for (const { shortDescription, help, helpUri, defaultConfiguration } of driver.rules) {
    expect(shortDescription.text).not.toBe('');
    expect(help.text).not.toBe('');
    expect(helpUri === undefined || URL.canParse(helpUri)).toBe(true);
    expect(['none', 'note', 'warning', 'error']).toContain(defaultConfiguration.level);
  }
});

test('a result leads to its rule and has a message and a place (3.27, 3.28, 3.30)', () => {
  expect(run!.results).toHaveLength(diagnostics.length);
  for (const { ruleId, ruleIndex, level, message, locations } of run!.results) {
    expect(driver.rules[ruleIndex]!.id).toBe(ruleId);
    expect(level).toBe(driver.rules[ruleIndex]!.defaultConfiguration.level);
    expect(message.text).not.toBe('');
    expect(locations).toHaveLength(1);
    const { region } = locations[0]!.physicalLocation;
    for (const at of region === undefined ? [] : [region.startLine, region.startColumn]) {
      expect(Number.isInteger(at) && at >= 1).toBe(true);
    }
  }
});

test('an address with a base is relative to it, any other is absolute, and none leads up (3.4.3, 3.4.4)', () => {
  const uris = run!.results.map(({ locations }) => locations[0]!.physicalLocation.artifactLocation);
  for (const { uri, uriBaseId } of uris) {
    expect(URL.canParse(uri)).toBe(uriBaseId === undefined);
    expect(uri).toMatch(/^[\w\-./~:%@!$&'()*+,;=]+$/);
    expect(uri).not.toMatch(/(?:^|\/)\.\.(?:\/|$)/);
  }
  expect(new Set(uris.map(({ uri }) => uri))).toEqual(
    new Set([
      'a%20b.json',
      'half%EF%BF%BD.json',
      'file:///up.yaml',
      'file:///else/where.json',
      'stdin',
      'https://e.org/x.json',
    ]),
  );
});
