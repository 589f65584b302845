/** Rows of cells as text: the first column to the left, figures to the right. */
export function renderTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!),
        )
        .join('   ')
        .trimEnd(),
    )
    .join('\n');
}

/** A figure for a reader. */
export function format(value: number, digits = 0): string {
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}
