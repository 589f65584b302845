import type { Location } from '../problem/location.ts';

/** Lines shown before the one that is meant. */
const LINES_BEFORE = 1;

/** A longer line is cut to the part around the column (documents may be one line). */
const MAX_WIDTH = 100;

/** The lines of a text, for any number of frames. */
export function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/);
}

/**
 * The source line a location is in, with what stands before it, and a caret below the column; ""
 * when the location is not in the lines.
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
  return line.replaceAll(/\p{Cc}/gu, ' ');
}
