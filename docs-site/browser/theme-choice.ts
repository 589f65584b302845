import { keep, readKept } from './kept.ts';

/** The reader's colours, remembered in this browser. */
export type Theme = 'system' | 'light' | 'dark';

const KEY = 'docs-theme';

export function rememberedTheme(): Theme {
  const value = readKept(KEY);
  return value === 'light' || value === 'dark' ? value : 'system';
}

export function rememberTheme(theme: Theme): void {
  keep(KEY, theme);
}
