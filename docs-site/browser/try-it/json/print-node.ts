import type { JsonNode } from './parse.ts';

/** A node as text over several lines, every scalar as it was written. */
export function printNode(node: JsonNode, margin = ''): string {
  if (node.kind === 'scalar') return node.text;
  const deeper = `${margin}  `;
  const parts =
    node.kind === 'array'
      ? node.items.map((item) => printNode(item, deeper))
      : node.members.map(({ name, node }) => `${JSON.stringify(name)}: ${printNode(node, deeper)}`);
  const [open, close] = node.kind === 'array' ? '[]' : '{}';
  if (parts.length === 0) return open! + close!;
  return `${open}\n${parts.map((part) => deeper + part).join(',\n')}\n${margin}${close}`;
}
