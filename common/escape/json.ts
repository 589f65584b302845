import { escapeHidden, hex } from './text.ts';

/** JSON text with the hidden characters of its strings as JSON escapes (RFC 8259, 7): UTF-16 units. */
export function escapeJson(json: string): string {
  return escapeHidden(json, (codePoint) =>
    String.fromCodePoint(codePoint)
      .split('')
      .map((unit) => `\\u${hex(unit.charCodeAt(0), 4)}`)
      .join(''),
  );
}
