import { isScalar, visit, type Document } from 'yaml';
import type { Json } from '../../common/json/value.ts';

/** A number that JSON parsers turn into infinity, or that is not a number. */
export interface BeyondNumber {
  /** As it was written. */
  readonly written: string;
  readonly offset: number;
}

/** True where a value has one. */
export function hasBeyond(root: Json): boolean {
  const ahead: Json[] = [root];
  for (let value = ahead.pop(); value !== undefined; value = ahead.pop()) {
    if (typeof value === 'number' && !Number.isFinite(value)) return true;
    if (typeof value !== 'object' || value === null) continue;
    for (const member of Object.values(value)) ahead.push(member as Json);
  }
  return false;
}

/** The numbers that JSON text cannot be made of again: they would become `null` without a word. */
export function listBeyond(tree: Document): readonly BeyondNumber[] {
  const found: BeyondNumber[] = [];
  visit(tree, {
    Scalar(_, node) {
      if (!isScalar(node) || typeof node.value !== 'number' || Number.isFinite(node.value)) return;
      found.push({ written: node.source ?? String(node.value), offset: node.range?.[0] ?? 0 });
    },
  });
  return found;
}
