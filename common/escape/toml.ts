import { escapeHidden, hex } from './text.ts';

/** A basic string of TOML 1.0, which has no halves of surrogate pairs. */
export function tomlString(text: string): string {
  return escapeHidden(
    JSON.stringify(text.toWellFormed()),
    (codePoint) => `\\U${hex(codePoint, 8)}`,
  );
}
