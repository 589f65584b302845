import { browserMemory } from './storage.ts';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'docs-theme';
const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };

/** Returns the theme chosen in this browser. */
export function rememberedTheme(): Theme {
  const value = browserMemory.read(KEY);
  return value === 'light' || value === 'dark' ? value : 'system';
}

/** Starts the button that switches between the system's, the light and the dark theme. */
export function startThemeButton(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-theme-button]');
  if (button === null) return;
  const show = (theme: Theme): void => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
    button.dataset['themeButton'] = theme;
    button.title = `Color theme: ${theme}`;
    button.setAttribute('aria-label', button.title);
  };
  show(rememberedTheme());
  button.hidden = false;
  button.addEventListener('click', () => {
    const theme = NEXT[rememberedTheme()];
    browserMemory.write(KEY, theme);
    show(theme);
  });
}
