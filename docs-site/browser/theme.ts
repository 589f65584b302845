// Runs before the first paint, so that a remembered theme does not flash. Bundled separately.
import { rememberedTheme } from './theme-button.ts';

const root = document.documentElement;
const theme = rememberedTheme();
if (theme !== 'system') root.dataset['theme'] = theme;

// Content that scripts hide stays visible where the module script does not run: browsers load no
// module for a page opened as a file, and a network may fail.
if (location.protocol !== 'file:') root.dataset['scripts'] = '';
const showAll = ({ target }: Event): void => {
  if (target instanceof HTMLScriptElement) delete root.dataset['scripts'];
};
addEventListener('error', showAll, true);
