import { rememberedTheme, rememberTheme, type Theme } from './theme-choice.ts';

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };
const LABELS: Readonly<Record<Theme, string>> = {
  system: 'Colours: as the system',
  light: 'Colours: light',
  dark: 'Colours: dark',
};

/** The button that goes through the system's colours, light and dark. */
export function startThemeButton(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-theme-button]');
  if (button === null) return;
  const show = (theme: Theme): void => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
    button.dataset['themeButton'] = theme;
    button.setAttribute('aria-label', LABELS[theme]);
    button.title = LABELS[theme];
  };
  show(rememberedTheme());
  button.hidden = false;
  button.addEventListener('click', () => {
    const theme = NEXT[rememberedTheme()];
    rememberTheme(theme);
    show(theme);
  });
}
