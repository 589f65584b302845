import { readFileSync } from 'node:fs';
import Handlebars from 'handlebars';

/** Turns what a template asks for into text. */
export type Template<View> = (view: View) => string;

/**
 * Loads a Handlebars template that lies beside the code that uses it, so that it is found in the
 * repository and in the published package alike. Nothing is HTML-escaped; a member the view lacks is
 * an error.
 */
export function loadTemplate<View>(moduleUrl: string, file: string): Template<View> {
  const text = readFileSync(new URL(file, moduleUrl), 'utf8');
  return Handlebars.compile<View>(text, { noEscape: true, strict: true });
}

/** The text of a file that lies beside the code that emits it as it stands. */
export function readBeside(moduleUrl: string, file: string): string {
  return readFileSync(new URL(file, moduleUrl), 'utf8');
}
