import { describeLocation } from '../problem/location.ts';
import { codeFrame, linesOf } from './code-frame.ts';
import { countLevels, levels, type Finding, type Level } from './finding.ts';
import type { Report } from './report.ts';

/** For a terminal: each finding with the lines it is about, then how many there are. */
export function renderText({ findings, texts, files, rules }: Report): string {
  const documents = count(files.length, 'document');
  if (findings.length === 0) {
    return `no findings in ${documents} (${count(rules.length, 'rule')})\n`;
  }
  const counts = countLevels(findings);
  const summary = levels
    .filter((level) => counts[level] > 0)
    .map((level) => count(counts[level], NOUNS[level]))
    .join(', ');
  const lines = new Map([...texts].map(([file, text]) => [file, linesOf(text)]));
  const told = findings.map((finding) => tellFinding(finding, lines.get(finding.file) ?? []));
  return `${told.join('\n\n')}\n\n${summary} in ${documents}\n`;
}

const NOUNS: Readonly<Record<Level, string>> = { error: 'error', warning: 'warning', info: 'note' };

function tellFinding(finding: Finding, lines: readonly string[]): string {
  const { level, rule, message, fix } = finding;
  const frame = codeFrame(lines, finding);
  return [
    describeLocation(finding),
    `  ${level} ${rule}: ${oneLine(message)}`,
    ...(frame === '' ? [] : [indent(frame)]),
    ...(fix === undefined ? [] : [`  fix: ${oneLine(fix)}`]),
  ].join('\n');
}

function indent(block: string): string {
  return block.replaceAll(/^/gm, '  ');
}

// A name in a document may hold anything; it must not write on the reader's terminal.
function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
