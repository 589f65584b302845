// Runs before the page is painted, so that a remembered choice does not flash. Bundled by itself.
import { rememberedTheme } from './theme-choice.ts';

const choice = rememberedTheme();
if (choice !== 'system') document.documentElement.dataset['theme'] = choice;
