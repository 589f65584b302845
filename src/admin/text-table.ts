export type Cell = string | number;

/** Formats rows as columns with headers; numbers are right-aligned. */
export function formatTable(
  headers: readonly string[],
  rows: readonly (readonly Cell[])[],
): string {
  const lines = [headers, ...rows.map((row) => row.map(String))];
  const widths = headers.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const isNumeric = headers.map((_, column) => rows.some((row) => typeof row[column] === 'number'));
  return lines
    .map((line) =>
      line
        .map((text, column) =>
          isNumeric[column] ? text.padStart(widths[column]!) : text.padEnd(widths[column]!),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Formats comma-separated values as in RFC 4180, except that lines end with a line feed. */
export function formatCsv(headers: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [headers, ...rows]
    .map((row) => row.map((cell) => quote(String(cell))).join(','))
    .join('\n');
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
