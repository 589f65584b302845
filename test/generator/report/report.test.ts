import { describe, expect, test } from 'vitest';
import { codeFrame } from '../../../generator/report/code-frame.ts';
import {
  sortFindings,
  toFinding,
  UNUSABLE,
  type Finding,
} from '../../../generator/report/finding.ts';
import { renderReport, reportFormats } from '../../../generator/report/render.ts';
import type { Report } from '../../../generator/report/report.ts';

const text = '{\n  "info": { "title": "A" },\n\t"methods": []\n}\n';

const finding: Finding = {
  rule: 'method-summary',
  level: 'error',
  message: '"a" has no summary',
  fix: 'say what it does',
  file: 'docs/my api.json',
  line: 3,
  column: 2,
  pointer: '/methods/0',
};

const rule = {
  id: 'method-summary',
  title: 'Methods have a summary',
  level: 'error',
  help: 'A *summary* is what lists show.',
  helpUri: 'https://spec.open-rpc.org/#method-object',
} as const;

function reportOf(findings: readonly Finding[], more: Partial<Report> = {}): Report {
  const files = ['docs/my api.json'];
  const texts = new Map([['docs/my api.json', text]]);
  return {
    verb: 'lint',
    version: '1.2.3',
    files,
    rules: [rule],
    findings,
    texts,
    root: '/r',
    ...more,
  };
}

describe('text', () => {
  test('shows each finding with its lines, a caret and what to do', () => {
    expect(renderReport(reportOf([finding]), 'text')).toBe(
      [
        'docs/my api.json:3:2 #/methods/0',
        '  error method-summary: "a" has no summary',
        '  2 |   "info": { "title": "A" },',
        '  3 |  "methods": []',
        '    |  ^',
        '  fix: say what it does',
        '',
        '1 error in 1 document',
        '',
      ].join('\n'),
    );
  });

  test('counts each level, and says when there is nothing', () => {
    const findings = [finding, { ...finding, level: 'warning' }, { ...finding, level: 'info' }];
    const told = renderReport(reportOf(findings as Finding[]), 'text');
    expect(told).toMatch(/\n1 error, 1 warning, 1 note in 1 document\n$/);
    expect(renderReport(reportOf([]), 'text')).toBe('no findings in 1 document (1 rule)\n');
  });

  test('lets no control character of a document reach the terminal', () => {
    const hostile = { ...finding, message: 'a\u001B[2J\nb' };
    expect(renderReport(reportOf([hostile]), 'text')).toContain('summary: a [2J b\n');
  });

  test('cuts a line that is too long to the part around the column', () => {
    const frame = codeFrame(['x'.repeat(5000)], { ...finding, line: 1, column: 2500 });
    const [line, caret] = frame.split('\n');
    expect(line!.length).toBeLessThan(120);
    expect(line!.slice(0, caret!.length).at(-1)).toBe('x');
    expect(caret!.length).toBeLessThan(line!.length);
  });

  test('reads a large text once, however many findings are in it', () => {
    const texts = new Map([[finding.file, 'a line\n'.repeat(200_000)]]);
    const findings = Array.from({ length: 2000 }, (_, line) => ({ ...finding, line: line + 1 }));
    const before = performance.now();
    renderReport({ ...reportOf(findings), texts }, 'text');
    expect(performance.now() - before).toBeLessThan(2000);
  });

  test('shows no lines for a place that is not in the text', () => {
    expect(codeFrame(['one line'], { ...finding, line: 7 })).toBe('');
    expect(codeFrame(['one line'], { ...finding, line: null, column: null })).toBe('');
  });
});

describe('github', () => {
  test('is a workflow command for each finding, escaped as the runner undoes it', () => {
    const hostile: Finding = {
      ...finding,
      level: 'warning',
      rule: 'a,b:c',
      message: '100%\n::error::',
      file: '/r/docs/x.json',
    };
    expect(renderReport(reportOf([hostile]), 'github')).toBe(
      '::warning file=docs/x.json,line=3,col=2,title=a%2Cb%3Ac::' +
        '100%25%0A::error::; say what it does%0A#/methods/0\n',
    );
  });

  test('is empty when there is nothing', () => {
    expect(renderReport(reportOf([]), 'github')).toBe('');
  });
});

describe('junit', () => {
  test('fails a case for an error, and passes a rule that found nothing', () => {
    const rules = [rule, { ...rule, id: 'other' }];
    const told = renderReport(reportOf([finding], { rules }), 'junit');
    expect(told).toContain('<testsuites name="specgate lint" tests="2" failures="1" errors="0">');
    expect(told).toContain('<testcase classname="lint.docs/my api.json" name="other"/>');
    expect(told).toContain(
      '<failure type="method-summary" message="&quot;a&quot; has no summary">',
    );
  });

  test('is well-formed whatever the document holds', () => {
    const hostile = { ...finding, message: '<![CDATA[ & "\u0000\uD800]]>' };
    const told = renderReport(reportOf([hostile]), 'junit');
    expect(told).toContain('&lt;![CDATA[ &amp; &quot;\uFFFD\uFFFD]]&gt;');
    expect(told).not.toMatch(/[\0-\b]|\p{Cs}/u);
  });

  test('a warning is the output of a case that passes', () => {
    const told = renderReport(reportOf([{ ...finding, level: 'warning' }]), 'junit');
    expect(told).toContain('failures="0"');
    expect(told).toContain('<system-out>warning: docs/my api.json:3:2 #/methods/0: ');
  });
});

describe('sarif', () => {
  const runOf = (report: Report) =>
    (JSON.parse(renderReport(report, 'sarif')) as { runs: Run[] }).runs[0]!;

  interface Run {
    readonly results: readonly {
      readonly ruleIndex: number;
      readonly level: string;
      readonly locations: readonly [
        { readonly physicalLocation: { readonly artifactLocation: unknown; region?: unknown } },
      ];
    }[];
  }

  const artifactOf = (file: string) =>
    runOf(reportOf([{ ...finding, file }])).results[0]!.locations[0].physicalLocation
      .artifactLocation;

  test('names a file relative to the source root, as a URI', () => {
    const expected = { uri: 'docs/my%20api.json', uriBaseId: '%SRCROOT%' };
    expect(artifactOf('docs/my api.json')).toEqual(expected);
    expect(artifactOf('./docs/my api.json')).toEqual(expected);
    expect(artifactOf('/r/docs/my api.json')).toEqual(expected);
    expect(artifactOf('<stdin>')).toEqual({ uri: 'stdin', uriBaseId: '%SRCROOT%' });
    expect(artifactOf('/elsewhere/a.json')).toEqual({ uri: 'file:///elsewhere/a.json' });
    expect(artifactOf('https://e.org/a.json')).toEqual({ uri: 'https://e.org/a.json' });
  });

  test('points from the result to its rule, and calls an info a note', () => {
    const { results } = runOf(reportOf([{ ...finding, level: 'info' }]));
    expect(results[0]).toMatchObject({ ruleIndex: 0, level: 'note' });
  });

  test('a place without a line has no region', () => {
    const { results } = runOf(reportOf([{ ...finding, line: null, column: null }]));
    expect(results[0]!.locations[0].physicalLocation).not.toHaveProperty('region');
  });
});

describe('findings', () => {
  test('come in the order of the files, and in each from the top down', () => {
    const at = (file: string, line: number | null) => ({ ...finding, file, line });
    const sorted = sortFindings([at('b', 9), at('a', 2), at('b', null), at('b', 1)]);
    expect(sorted.map(({ file, line }) => `${file}${line}`)).toEqual(['bnull', 'b1', 'b9', 'a2']);
  });

  test('tell a problem with the document under a rule of its own', () => {
    const { file, line, column, pointer } = finding;
    const problem = { what: 'not JSON', fix: 'fix it', file, line, column, pointer };
    expect(toFinding(problem)).toEqual({
      rule: UNUSABLE.id,
      level: 'error',
      message: 'not JSON',
      fix: 'fix it',
      file,
      line,
      column,
      pointer,
    });
  });

  test('a report ends its last line in every format', () => {
    for (const format of reportFormats) {
      expect(renderReport(reportOf([finding]), format), format).toMatch(/[^\n]\n$/);
    }
  });
});
