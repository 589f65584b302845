import { describeDiagnostic, type Diagnostic } from '../../common/diagnostic.ts';
import { escapeHidden, hex } from '../../common/escape/text.ts';
import { diagnosticsByFile, type Report } from './report.ts';

/**
 * Renders a report for the test views of build servers: a suite for each document, with a case for each
 * passed rule and each diagnostic. An error fails its case; a warning or a note is its output.
 */
export function renderJunit(report: Report): string {
  const { verb, rules, diagnostics } = report;
  const suites = [...diagnosticsByFile(report)].map(([file, own]) => {
    const found = new Set(own.map(({ code }) => code));
    const cases = [
      ...rules
        .filter(({ id }) => !found.has(id))
        .map(
          ({ id }) => `    <testcase classname=${quoted(`${verb}.${file}`)} name=${quoted(id)}/>`,
        ),
      ...own.map((each) => renderCase(each, `${verb}.${file}`)),
    ];
    const head = `name=${quoted(file)} tests="${cases.length}" failures="${failures(own)}"`;
    return [`  <testsuite ${head} errors="0" skipped="0">`, ...cases, '  </testsuite>'].join('\n');
  });
  const tests = suites.join('\n').split('<testcase ').length - 1;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="specgate ${verb}" tests="${tests}" failures="${failures(diagnostics)}" errors="0">`,
    ...suites,
    '</testsuites>\n',
  ].join('\n');
}

function renderCase(diagnostic: Diagnostic, classname: string): string {
  const { code, severity, message, location } = diagnostic;
  const name = location.pointer === null ? code : `${code} #${location.pointer}`;
  const text = describeDiagnostic(diagnostic);
  const body =
    severity === 'error'
      ? `<failure type=${quoted(code)} message=${quoted(message)}>${escape(text)}</failure>`
      : `<system-out>${escape(`${severity}: ${text}`)}</system-out>`;
  return `    <testcase classname=${quoted(classname)} name=${quoted(name)}>${body}</testcase>`;
}

function failures(diagnostics: readonly Diagnostic[]): number {
  return diagnostics.filter(({ severity }) => severity === 'error').length;
}

function quoted(text: string): string {
  return `"${escape(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;')}"`;
}

// XML 1.0 cannot represent most control characters or half a surrogate pair.
function escape(text: string): string {
  const escaped = text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\u{FFFD}')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
  return escapeHidden(escaped, (codePoint) => `&#x${hex(codePoint, 1)};`);
}
