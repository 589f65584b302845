import { escapeHidden, onOneLine } from '../../common/escape/text.ts';
import {
  describeLocation,
  severities,
  type Diagnostic,
  type Location,
  type Severity,
} from '../../common/diagnostic.ts';
import { countSeverities, type Report } from './report.ts';
import { groupSame, type SameDiagnostics } from './same.ts';
import { renderSummary } from './summary.ts';

/**
 * Renders a report for a terminal: how often each rule found something, unless there are few diagnostics,
 * then each diagnostic with its source lines, then the totals.
 */
export function renderText({ diagnostics, texts, files, rules, isGrouped }: Report): string {
  const documents = count(files.length, 'document');
  if (diagnostics.length === 0) {
    return `no problems found in ${documents} (${count(rules.length, 'rule')})\n`;
  }
  const counts = countSeverities(diagnostics);
  const totals = severities
    .filter((severity) => counts[severity] > 0)
    .map((severity) => count(counts[severity], NOUNS[severity]))
    .join(', ');
  const lines = new Map([...texts].map(([file, text]) => [file, linesOf(text)]));
  const groups =
    isGrouped === true ? groupSame(diagnostics) : diagnostics.map((first) => ({ first, more: [] }));
  const shown = groups.map((each, index) => {
    const own = lines.get(each.first.location.file) ?? [];
    return showGroup(each, groups[index - 1]?.first, own);
  });
  const summary = renderSummary(diagnostics);
  const head = summary === '' ? '' : `${summary}\n\n`;
  return `${head}${shown.join('').slice(1)}\n${totals} in ${documents}\n`;
}

const NOUNS: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
};

/**
 * Shows a diagnostic, after an empty line unless it continues a list. Source lines and a fix that were
 * just shown are not repeated, and notes have no source lines.
 */
function showGroup(
  { first, more }: SameDiagnostics,
  previous: Diagnostic | undefined,
  lines: readonly string[],
): string {
  const { severity, code, message, fix, location, methods } = first;
  const { file, line } = location;
  const isSameLine = previous?.location.file === file && previous.location.line === line;
  const isSameFix = previous?.code === code && previous.fix === fix;
  const frame = severity === 'info' || isSameLine ? '' : codeFrame(lines, location);
  const details = [
    ...(frame === '' ? [] : [indent(frame)]),
    ...(fix === undefined || isSameFix ? [] : [`  fix: ${onOneLine(fix)}`]),
    ...(methods === undefined ? [] : [`  methods: ${listNames(methods)}`]),
    ...listMore(first, more),
  ];
  const isApart = details.length > 0 || previous?.severity !== severity;
  const head = [describeLocation(location), `  ${severity} ${code}: ${onOneLine(message)}`];
  return [...(isApart ? [''] : []), ...head, ...details, ''].join('\n');
}

function listNames(names: readonly string[]): string {
  const hidden = names.length - MAX_NAMES;
  const listed = onOneLine(names.slice(0, MAX_NAMES).join(', '));
  return hidden > 0 ? `${listed} and ${hidden} more` : listed;
}

/** Maximum number of methods of a diagnostic that are named. */
const MAX_NAMES = 6;

/** Maximum number of further places of a group that are listed. */
const MAX_LISTED = 3;

function listMore(first: Diagnostic, more: readonly Diagnostic[]): readonly string[] {
  if (more.length === 0) return [];
  const listed = more.slice(0, MAX_LISTED).map(({ message, fix, location }) => {
    // All are in the file of the first one.
    const place = describeLocation({ ...location, file: '' }).replace(/^[: ]/, '');
    const own = fix === first.fix || fix === undefined ? '' : `; ${fix}`;
    return `    ${place}: ${onOneLine(`${message}${own}`)}`;
  });
  const hidden = more.length - listed.length;
  return [
    `  ${count(more.length, 'more place')}:`,
    ...listed,
    ...(hidden === 0 ? [] : [`    and ${hidden} more; --all lists them`]),
  ];
}

function indent(block: string): string {
  return block.replaceAll(/^/gm, '  ');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Lines shown before the line of the location. */
const LINES_BEFORE = 1;

/** A longer line is cut to the part around the column (documents may be one line). */
const MAX_WIDTH = 100;

/** Returns the lines of a text. */
function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/);
}

/**
 * Returns the source line of a location with the lines before it and a caret below the column, or ""
 * if the lines do not contain it.
 */
export function codeFrame(lines: readonly string[], { line, column }: Location): string {
  if (line === null) return '';
  const first = Math.max(1, line - LINES_BEFORE);
  const shown = lines.slice(first - 1, line);
  if (shown.length < line - first + 1) return '';
  const gutter = String(line).length;
  const from = cutFrom(shown.at(-1)!, column ?? 1);
  const rows = shown.map((each, index) => {
    const row = `${String(first + index).padStart(gutter)} | ${printable(cut(each, from))}`;
    return row.trimEnd();
  });
  const lead = shown.at(-1)!.slice(from, (column ?? 1) - 1);
  return [...rows, `${' '.repeat(gutter)} | ${' '.repeat(lead.length)}^`].join('\n');
}

function cutFrom(line: string, column: number): number {
  return line.length <= MAX_WIDTH || column < MAX_WIDTH / 2 ? 0 : column - MAX_WIDTH / 2;
}

function cut(line: string, from: number): string {
  return line.slice(from, from + MAX_WIDTH);
}

// A tab takes one column of a position; control characters would move a terminal's cursor.
function printable(line: string): string {
  return escapeHidden(line.replaceAll('\t', ' '), (codePoint) => (codePoint > 0xffff ? '  ' : ' '));
}
