import { describe, expect, test } from 'vitest';
import { describeDiagnostic, type Diagnostic, type Location } from '../../../common/diagnostic.ts';
import { codeFrame } from '../../../generator/report/text.ts';
import { sortDiagnostics, type Report } from '../../../generator/report/report.ts';
import { renderReport, reportFormats } from '../../../generator/report/render.ts';

const text = '{\n  "info": { "title": "A" },\n\t"methods": []\n}\n';

const location: Location = {
  file: 'docs/my api.json',
  line: 3,
  column: 2,
  pointer: '/methods/0',
};

const diagnostic: Diagnostic = {
  code: 'method-summary',
  severity: 'error',
  message: '"a" has no summary',
  fix: 'say what it does',
  location,
};

/** The diagnostic at another place. */
const at = (place: Partial<Location>): Diagnostic => ({
  ...diagnostic,
  location: { ...location, ...place },
});

const rule = {
  id: 'method-summary',
  title: 'Methods have a summary',
  severity: 'error',
  help: 'A *summary* is what lists show.',
  helpUri: 'https://spec.open-rpc.org/#method-object',
} as const;

function reportOf(diagnostics: readonly Diagnostic[], more: Partial<Report> = {}): Report {
  const files = ['docs/my api.json'];
  const texts = new Map([['docs/my api.json', text]]);
  return {
    verb: 'lint',
    version: '1.2.3',
    files,
    rules: [rule],
    diagnostics,
    texts,
    root: '/r',
    ...more,
  };
}

describe('text', () => {
  test('shows each diagnostic with its lines, a caret and a fix', () => {
    expect(renderReport(reportOf([diagnostic]), 'text')).toBe(
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

  test('counts each severity, and reports that there are no problems', () => {
    const diagnostics = [
      diagnostic,
      { ...diagnostic, severity: 'warning' },
      { ...diagnostic, severity: 'info' },
    ];
    const report = renderReport(reportOf(diagnostics as Diagnostic[]), 'text');
    expect(report).toMatch(/\n1 error, 1 warning, 1 note in 1 document\n$/);
    expect(renderReport(reportOf([]), 'text')).toBe('no problems found in 1 document (1 rule)\n');
  });

  const named = (name: string, line: number): Diagnostic => ({
    ...at({ line }),
    message: `"${name}" has no summary`,
  });

  test('shows diagnostics that say the same once, with their first places', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const diagnostics = names.map((name, index) => named(name, index + 1));
    const report = renderReport(reportOf(diagnostics, { isGrouped: true }), 'text');
    expect(report.split('\n').slice(1)).toEqual([
      '  error method-summary: "a" has no summary',
      '  1 | {',
      '    |  ^',
      '  fix: say what it does',
      '  5 more places:',
      '    2:2 #/methods/0: "b" has no summary',
      '    3:2 #/methods/0: "c" has no summary',
      '    4:2 #/methods/0: "d" has no summary',
      '    and 2 more; --all lists them',
      '',
      '6 errors in 1 document',
      '',
    ]);
    expect(renderReport(reportOf(diagnostics), 'text')).toContain('"f" has no summary');
    for (const format of reportFormats.filter((each) => each !== 'text')) {
      const all = renderReport(reportOf(diagnostics, { isGrouped: true }), format);
      expect(all.match(/has no summary/g)!.length).toBeGreaterThanOrEqual(6);
    }
  });

  test('shows diagnostics apart that say something else, or are in another file', () => {
    const other = { ...named('c', 3), message: 'no summary' };
    const diagnostics = [named('a', 1), other, at({ file: 'b.json' })];
    const report = renderReport(reportOf(diagnostics, { isGrouped: true }), 'text');
    expect(report).not.toContain('more place');
  });

  test('counts the rules first where there are many diagnostics', () => {
    const many = Array.from({ length: 12 }, (_, line) => at({ line: line + 1 }));
    const notes = 'abcdefgh'.split('').map((code): Diagnostic => ({
      ...named('a', 1),
      code,
      severity: 'info',
    }));
    const report = renderReport(reportOf([...notes, ...many]), 'text');
    expect(report.split('\n').slice(0, 9)).toEqual([
      '12  error    method-summary',
      ...'abcdef'.split('').map((code) => ` 1  info     ${code}`),
      ' 2  info     2 others',
      '',
    ]);
    expect(renderReport(reportOf(many.slice(0, 10)), 'text')).not.toMatch(/^10/);
    const json = JSON.parse(renderReport(reportOf(many), 'json')) as object;
    expect(json).toMatchObject({
      summary: [{ code: 'method-summary', severity: 'error', count: 12 }],
    });
  });

  test('lists notes without source lines, and repeats no lines and no fix', () => {
    const lines = (severity: 'info' | 'error', ...places: readonly number[]) => {
      const diagnostics = places.map((line): Diagnostic => ({ ...named('a', line), severity }));
      return renderReport(reportOf(diagnostics), 'text').split('\n').slice(0, -3);
    };
    const note = '  info method-summary: "a" has no summary';
    expect(lines('info', 1, 2)).toEqual([
      'docs/my api.json:1:2 #/methods/0',
      note,
      '  fix: say what it does',
      'docs/my api.json:2:2 #/methods/0',
      note,
    ]);
    const error = '  error method-summary: "a" has no summary';
    expect(lines('error', 1, 1, 2)).toEqual([
      'docs/my api.json:1:2 #/methods/0',
      error,
      '  1 | {',
      '    |  ^',
      '  fix: say what it does',
      'docs/my api.json:1:2 #/methods/0',
      error,
      '',
      'docs/my api.json:2:2 #/methods/0',
      error,
      '  1 | {',
      '  2 |   "info": { "title": "A" },',
      '    |  ^',
    ]);
  });

  test('names the methods that use the place', () => {
    const methods = Array.from({ length: 9 }, (_, index) => `m${index}`);
    const report = renderReport(reportOf([{ ...diagnostic, methods }]), 'text');
    expect(report).toContain('\n  methods: m0, m1, m2, m3, m4, m5 and 3 more\n');
  });

  test('lets no control character of a document reach the terminal', () => {
    const evil = '\u001B[2J\n::stop-commands::x';
    const shown = String.raw`\u001b[2J`;
    const place = { file: `/r/f${evil}.json`, pointer: `/p${evil}` };
    const hostile = { ...at(place), message: `m${evil}`, fix: `f${evil}` };
    const text = renderReport(reportOf([hostile]), 'text');
    expect(text).toContain(`summary: m${shown} ::stop-commands::x\n`);
    const github = renderReport(reportOf([hostile]), 'github');
    const several = [hostile, { ...hostile, methods: [evil, evil] }, hostile];
    const grouped = renderReport(reportOf(several, { isGrouped: true }), 'text');
    expect(grouped).toContain(`  2 more places:\n    3:2 #/p${shown}`);
    for (const report of [text, github, grouped, describeDiagnostic(hostile)]) {
      expect(report).toContain(`m${shown}`);
      expect(report).toContain(`/p${shown}`);
      expect(report).not.toMatch(/^::stop|(?!\n)\p{Cc}/mu);
    }
  });

  test('shortens a long line to the part around the column', () => {
    const frame = codeFrame(['x'.repeat(5000)], { ...location, line: 1, column: 2500 });
    const [line, caret] = frame.split('\n');
    expect(line!.length).toBeLessThan(120);
    expect(line!.slice(0, caret!.length).at(-1)).toBe('x');
    expect(caret!.length).toBeLessThan(line!.length);
  });

  test('splits a large text once for any number of diagnostics', () => {
    const texts = new Map([[location.file, 'a line\n'.repeat(200_000)]]);
    const diagnostics = Array.from({ length: 2000 }, (_, line) => at({ line: line + 1 }));
    // Split once for each diagnostic it would take longer than the test may.
    expect(renderReport({ ...reportOf(diagnostics), texts }, 'text')).toContain('2000 errors');
  });

  test('shows no lines for a place that is not in the text', () => {
    expect(codeFrame(['one line'], { ...location, line: 7 })).toBe('');
    expect(codeFrame(['one line'], { ...location, line: null, column: null })).toBe('');
  });
});

describe('github', () => {
  test('is one workflow command per diagnostic, escaped for the runner', () => {
    const hostile: Diagnostic = {
      ...at({ file: '/r/docs/x.json' }),
      severity: 'warning',
      code: 'a,b:c',
      message: '100%\n::error::',
    };
    expect(renderReport(reportOf([hostile]), 'github')).toBe(
      '::warning file=docs/x.json,line=3,col=2,title=a%2Cb%3Ac::' +
        '100%25%0A::error::; say what it does%0A#/methods/0\n',
    );
  });

  test('is empty without diagnostics', () => {
    expect(renderReport(reportOf([]), 'github')).toBe('');
  });
});

describe('junit', () => {
  test('fails a case for an error, and passes a rule that found nothing', () => {
    const rules = [rule, { ...rule, id: 'other' }];
    const report = renderReport(reportOf([diagnostic], { rules }), 'junit');
    expect(report).toContain('<testsuites name="specgate lint" tests="2" failures="1" errors="0">');
    expect(report).toContain('<testcase classname="lint.docs/my api.json" name="other"/>');
    expect(report).toContain(
      '<failure type="method-summary" message="&quot;a&quot; has no summary">',
    );
  });

  test('is well-formed whatever the document holds', () => {
    const hostile = { ...diagnostic, message: '<![CDATA[ & "\u0000\uD800]]>' };
    const report = renderReport(reportOf([hostile]), 'junit');
    expect(report).toContain('&lt;![CDATA[ &amp; &quot;\uFFFD\uFFFD]]&gt;');
    expect(report).not.toMatch(/[\0-\b]|\p{Cs}/u);
  });

  test('a warning is the output of a case that passes', () => {
    const report = renderReport(reportOf([{ ...diagnostic, severity: 'warning' }]), 'junit');
    expect(report).toContain('failures="0"');
    expect(report).toContain('<system-out>warning: docs/my api.json:3:2 #/methods/0: ');
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
    runOf(reportOf([at({ file })])).results[0]!.locations[0].physicalLocation.artifactLocation;

  test('names a file relative to the source root, as a URI', () => {
    const expected = { uri: 'docs/my%20api.json', uriBaseId: '%SRCROOT%' };
    expect(artifactOf('docs/my api.json')).toEqual(expected);
    expect(artifactOf('./docs/my api.json')).toEqual(expected);
    expect(artifactOf('/r/docs/my api.json')).toEqual(expected);
    expect(artifactOf('<stdin>')).toEqual({ uri: 'stdin', uriBaseId: '%SRCROOT%' });
    expect(artifactOf('/elsewhere/a.json')).toEqual({ uri: 'file:///elsewhere/a.json' });
    expect(artifactOf('https://e.org/a.json')).toEqual({ uri: 'https://e.org/a.json' });
  });

  test('refers from a result to its rule, and maps info to note', () => {
    const { results } = runOf(reportOf([{ ...diagnostic, severity: 'info' }]));
    expect(results[0]).toMatchObject({ ruleIndex: 0, level: 'note' });
  });

  test('a place without a line has no region', () => {
    const { results } = runOf(reportOf([at({ line: null, column: null })]));
    expect(results[0]!.locations[0].physicalLocation).not.toHaveProperty('region');
  });
});

describe('diagnostics', () => {
  test('are sorted by file, then by position', () => {
    const places = [
      { file: 'b', line: 9 },
      { file: 'a', line: 2 },
      { file: 'b', line: null },
      { file: 'b', line: 1 },
    ];
    const sorted = sortDiagnostics(places.map(at)).map((each) => each.location);
    expect(sorted.map(({ file, line }) => `${file}${line}`)).toEqual(['bnull', 'b1', 'b9', 'a2']);
  });

  test('a report ends its last line in every format', () => {
    for (const format of reportFormats) {
      expect(renderReport(reportOf([diagnostic]), format), format).toMatch(/[^\n]\n$/);
    }
  });
});
