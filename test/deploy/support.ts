import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

/** Text of a file of deploy/. */
export function readDeployed(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../../deploy/${path}`, import.meta.url)), 'utf8');
}

/** The YAML documents of a file of deploy/, merge keys followed; throws when one is not YAML. */
export function parseDeployed(path: string): unknown[] {
  return parseAllDocuments(readDeployed(path), { merge: true }).map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    return document.toJS() as unknown;
  });
}
