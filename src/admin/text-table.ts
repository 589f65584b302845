export type Cell = string | number;

/** Columns under their heads, numbers to the right; two spaces between. */
export function formatTable(heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [heads, ...rows.map((row) => row.map(String))];
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const isNumeric = heads.map((_, column) => rows.some((row) => typeof row[column] === 'number'));
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

/** Comma-separated values (RFC 4180), lines ending as the system's tools expect. */
export function formatCsv(heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [heads, ...rows].map((row) => row.map((cell) => quote(String(cell))).join(',')).join('\n');
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
