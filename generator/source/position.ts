import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node } from 'yaml';
import { splitPointer } from '../../common/json/pointer.ts';
import type { Position } from './source.ts';

/** Returns a function that locates pointers in a YAML text. */
export function createYamlLocator(text: string): (pointer: string) => Position {
  const lines = new LineCounter();
  const tree = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: false,
    logLevel: 'silent',
  });
  return (pointer) => locate(tree, pointer, lines);
}

/**
 * Where `pointer` leads in a parsed text: the key of a member, the value of a list's element. Where
 * the text has nothing at the pointer, the nearest part above it that exists.
 */
export function locate(tree: Document, pointer: string, lines: LineCounter): Position {
  let node = tree.contents as Node | null;
  let offset = node?.range?.[0] ?? 0;
  for (const token of splitPointer(pointer)) {
    const step = stepInto(node, token);
    if (step === null) break;
    ({ node, offset } = step);
  }
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

interface Step {
  readonly node: Node | null;
  readonly offset: number;
}

function stepInto(node: Node | null, token: string): Step | null {
  if (isSeq(node)) {
    const item = node.items[Number(token)] as Node | undefined;
    return item === undefined ? null : { node: item, offset: item.range?.[0] ?? 0 };
  }
  if (!isMap(node)) return null;
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === token);
  if (pair === undefined) return null;
  return { node: pair.value as Node | null, offset: (pair.key as Node).range?.[0] ?? 0 };
}
