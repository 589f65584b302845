import { escapeHidden, hex } from './text.ts';

/** Escapes hidden characters in the strings of a JSON text (RFC 8259, section 7). */
export function escapeJson(json: string): string {
  return escapeHidden(json, (codePoint) =>
    String.fromCodePoint(codePoint)
      .split('')
      .map((unit) => `\\u${hex(unit.charCodeAt(0), 4)}`)
      .join(''),
  );
}
