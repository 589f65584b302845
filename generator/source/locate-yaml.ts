import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node } from 'yaml';
import { splitPointer } from '../../common/json/pointer.ts';
import type { Position } from './source.ts';

/** Returns a function that locates pointers in a YAML text. */
export function createYamlLocator(text: string): (pointer: string) => Position {
  const lineCounter = new LineCounter();
  const tree = parseDocument(text, { lineCounter, uniqueKeys: false, logLevel: 'silent' });
  return (pointer) => locateYaml(tree, pointer, lineCounter);
}

/** Locates a pointer: the key of a member, the value of an element, or the nearest existing parent. */
export function locateYaml(tree: Document, pointer: string, lines: LineCounter): Position {
  let node: unknown = tree.contents;
  let offset = offsetOf(node);
  for (const token of splitPointer(pointer)) {
    if (isSeq(node)) {
      if (!(Number(token) in node.items)) break;
      node = node.items[Number(token)];
      offset = offsetOf(node);
    } else if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === token);
      if (pair === undefined) break;
      node = pair.value;
      offset = offsetOf(pair.key);
    } else break;
  }
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

function offsetOf(node: unknown): number {
  return (node as Node | null)?.range?.[0] ?? 0;
}
