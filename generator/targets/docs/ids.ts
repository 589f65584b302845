/** Gives elements of one page their ids: readable, stable, and each only once. */
export type Ids = (...path: readonly string[]) => string;

export function createIds(reserved: readonly string[] = []): Ids {
  const taken = new Set(reserved);
  return (...path) => {
    let id = path.map(idPart).join('.');
    while (taken.has(id)) id += '_';
    taken.add(id);
    return id;
  };
}

/** One part of an id: letters, digits and a few marks; other characters become hyphens. */
export function idPart(text: string): string {
  const part = text.replaceAll(/[^\p{L}\p{N}_$-]+/gu, '-').replaceAll(/^-+|-+$/g, '');
  return part === '' ? '-' : part;
}

/** The fragment that leads to an id. */
export function fragmentOf(id: string): string {
  return `#${encodeURIComponent(id)}`;
}
