import { readFileSync } from 'node:fs';
import Handlebars from 'handlebars';

/**
 * Loads a Handlebars template that lies beside the module that uses it, in the repository and in the
 * published package. Nothing is HTML-escaped; a missing member of the view is an error.
 */
export function loadTemplate(moduleUrl: string, file: string): (view: object) => string {
  return Handlebars.compile(readBeside(moduleUrl, file), { noEscape: true, strict: true });
}

/** Reads a file that lies beside the module that emits it unchanged. */
export function readBeside(moduleUrl: string, file: string): string {
  return readFileSync(new URL(file, moduleUrl), 'utf8');
}
