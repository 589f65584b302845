import { loadModule } from '../load-module.ts';
import type * as Dialog from './dialog.ts';

const dialog = loadModule<typeof Dialog>('assets/dialog.js');

/** Loads the search dialog once. */
export function loadDialog(): Promise<typeof Dialog> {
  return dialog.load();
}
