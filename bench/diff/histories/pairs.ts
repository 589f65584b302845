import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Two consecutive versions of a document. */
export interface VersionPair {
  /** The folder of the document's history. */
  readonly document: string;
  readonly name: string;
  readonly files: readonly [old: string, new: string];
}

const ROOT = join(import.meta.dirname, '../../..');

/** Versions in this repository: releases of our document, and a published example that grew. */
const KNOWN: readonly (readonly [document: string, ...files: readonly string[]])[] = [
  ['openrpc.json', ...releases(), join(ROOT, 'openrpc.json')],
  [
    '@open-rpc/examples',
    ...['petstore', 'petstore-expanded'].map((name) =>
      join(ROOT, `node_modules/@open-rpc/examples/build/service-descriptions/${name}-openrpc.json`),
    ),
  ],
  ['@metamask/api-specs', ...aliasesOf('@metamask/api-specs', 'dist/build/openrpc.json')],
];

/**
 * Returns the pairs of consecutive versions of known documents and, if a folder is given, of the
 * documents in it: a folder each, whose JSON files are versions in the order of their names.
 */
export function readPairs(folder?: string): readonly VersionPair[] {
  const given = folder === undefined ? [] : historiesIn(folder);
  return [...KNOWN, ...given].flatMap(([document, ...files]) =>
    files.slice(1).map((file, index): VersionPair => ({
      document,
      name: `${document} ${index + 1} → ${index + 2}`,
      files: [files[index]!, file],
    })),
  );
}

function historiesIn(folder: string): readonly (readonly [string, ...string[]])[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const files = readdirSync(join(folder, name)).filter((file) => file.endsWith('.json'));
      return [basename(name), ...files.sort().map((file) => join(folder, name, file))];
    });
}

function releases(): readonly string[] {
  const folder = join(ROOT, 'released');
  return readdirSync(folder)
    .sort()
    .map((file) => join(folder, file));
}

/** The installed versions of a package, which aliases in package.json name, oldest first. */
function aliasesOf(name: string, file: string): readonly string[] {
  const text = readFileSync(join(ROOT, 'package.json'), 'utf8');
  const { devDependencies } = JSON.parse(text) as { devDependencies: Record<string, string> };
  const versionOf = ([key, version]: readonly [string, string]) =>
    key === name ? version : version.startsWith(`npm:${name}@`) && version.slice(name.length + 5);
  return Object.entries(devDependencies)
    .flatMap((entry) => {
      const version = versionOf(entry);
      return version === false
        ? []
        : [{ version, path: join(ROOT, 'node_modules', entry[0], file) }];
    })
    .filter(({ path }) => existsSync(path))
    .sort((a, b) => a.version.localeCompare(b.version, 'en', { numeric: true }))
    .map(({ path }) => path);
}
