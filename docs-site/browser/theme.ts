// Runs before the page is painted, so that a remembered choice does not flash. Bundled by itself.
import { rememberedTheme } from './theme-choice.ts';

const choice = rememberedTheme();
if (choice !== 'system') document.documentElement.dataset['theme'] = choice;

// What the module hides until it is asked for stays in sight where it does not come: browsers load no
// module of a page opened as a file, and a network may fail.
const root = document.documentElement;
if (location.protocol !== 'file:') root.dataset['scripts'] = '';
const forget = ({ target }: Event): void => {
  if (target instanceof HTMLScriptElement) delete root.dataset['scripts'];
};
addEventListener('error', forget, true);
