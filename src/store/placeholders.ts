/** Texts remembered; statements differ only in how many rows they insert. */
const MOST_TEXTS = 1_000;

const numbered = new Map<string, string>();

/** `?` in order as PostgreSQL's `$1`, `$2`… Statements hold no question mark of another meaning. */
export function numberPlaceholders(sql: string): string {
  let text = numbered.get(sql);
  if (text === undefined) {
    let count = 0;
    text = sql.replaceAll('?', () => {
      count += 1;
      return `$${count}`;
    });
    if (numbered.size >= MOST_TEXTS) numbered.clear();
    numbered.set(sql, text);
  }
  return text;
}
