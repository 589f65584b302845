import type { PlainDocument } from './corpus.ts';

/** Random numbers and choices from one seed. */
export interface Draw {
  readonly chance: () => number;
  pick<T>(list: readonly T[]): T | undefined;
}

/** A way to change a document, applied at a random place. */
export interface Mutation {
  readonly name: string;
  /** The expected result: an error of one of these kinds, or neither errors nor warnings. */
  readonly expects: { readonly breaking: readonly string[] } | 'harmless';
  /** Changes the document; returns false if it has no place for the mutation. */
  apply(document: PlainDocument, draw: Draw): boolean;
}

export function createDraw(chance: () => number): Draw {
  return { chance, pick: (list) => list[Math.floor(chance() * list.length)] };
}

/** Returns the component that a reference refers to, or the value itself. */
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
