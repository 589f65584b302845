import { escapeHidden, hex } from './text.ts';

/** Writes a basic string of TOML 1.0, which cannot hold lone surrogates. */
export function tomlString(text: string): string {
  return escapeHidden(
    JSON.stringify(text.toWellFormed()),
    (codePoint) => `\\U${hex(codePoint, 8)}`,
  );
}
