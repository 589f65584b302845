import { describeLocation } from '../problem/location.ts';
import { toFindingsByFile } from './by-file.ts';
import type { Finding } from './finding.ts';
import type { Report } from './report.ts';

/**
 * For the test views of build servers: a suite for each document; in it a case for each rule that
 * found nothing and for each finding. An error fails its case; a warning or a note is its output.
 */
export function renderJunit(report: Report): string {
  const { verb, rules, findings } = report;
  const suites = toFindingsByFile(report).map(([file, own]) => {
    const found = new Set(own.map(({ rule }) => rule));
    const cases = [
      ...rules
        .filter(({ id }) => !found.has(id))
        .map(
          ({ id }) => `    <testcase classname=${quoted(`${verb}.${file}`)} name=${quoted(id)}/>`,
        ),
      ...own.map((finding) => renderCase(finding, `${verb}.${file}`)),
    ];
    const head = `name=${quoted(file)} tests="${cases.length}" failures="${failures(own)}"`;
    return [`  <testsuite ${head} errors="0" skipped="0">`, ...cases, '  </testsuite>'].join('\n');
  });
  const tests = suites.join('\n').split('<testcase ').length - 1;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="specgate ${verb}" tests="${tests}" failures="${failures(findings)}" errors="0">`,
    ...suites,
    '</testsuites>\n',
  ].join('\n');
}

function renderCase(finding: Finding, classname: string): string {
  const { rule, level, message, fix, pointer } = finding;
  const name = pointer === null ? rule : `${rule} #${pointer}`;
  const text = `${describeLocation(finding)}: ${message}${fix === undefined ? '' : `; ${fix}`}`;
  const body =
    level === 'error'
      ? `<failure type=${quoted(rule)} message=${quoted(message)}>${escape(text)}</failure>`
      : `<system-out>${escape(`${level}: ${text}`)}</system-out>`;
  return `    <testcase classname=${quoted(classname)} name=${quoted(name)}>${body}</testcase>`;
}

function failures(findings: readonly Finding[]): number {
  return findings.filter(({ level }) => level === 'error').length;
}

function quoted(text: string): string {
  return `"${escape(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;')}"`;
}

// XML 1.0 has no way to write most control characters, nor half a surrogate pair.
function escape(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\u{FFFD}')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
