import type { PlainDocument } from './corpus.ts';

/** Chance and choices, from one seed. */
export interface Draw {
  readonly chance: () => number;
  pick<T>(list: readonly T[]): T | undefined;
}

/** A way to change a document, applied at a random place. */
export interface Mutation {
  readonly name: string;
  /** What the differ has to find, by construction: an error of this kind, or no error and no warning. */
  readonly expects: { readonly breaking: readonly string[] } | 'harmless';
  /** Changes the document; false where it has no place for it. */
  apply(document: PlainDocument, draw: Draw): boolean;
}

export function createDraw(chance: () => number): Draw {
  return { chance, pick: (list) => list[Math.floor(chance() * list.length)] };
}

/** The component, or the object itself, that an object refers to. */
export function deref(document: PlainDocument, value: unknown): Record<string, unknown> {
  let at = value as Record<string, unknown>;
  for (let hops = 0; hops < 10 && typeof at['$ref'] === 'string'; hops += 1) {
    const tokens = at['$ref'].slice(2).split('/');
    at = tokens.reduce<Record<string, unknown>>(
      (each, token) => each[decodeURIComponent(token)] as Record<string, unknown>,
      document,
    );
  }
  return at;
}
