import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DocumentError } from '../../common/diagnostic.ts';
import { isObject, type Json } from '../../common/json/value.ts';
import { diagnosticAt } from '../bundle/places.ts';
import { findPackageFile } from '../files/package-file.ts';
import type { TextReader } from '../files/text.ts';
import { parseSource } from '../source/parse.ts';
import type { Source } from '../source/source.ts';

/** Maximum number of rulesets of a project, including those that they extend. */
const MAX_RULESETS = 100;

/**
 * Reads the rulesets that a project file extends, each once, in the order in which they apply: a ruleset
 * comes after those it extends, and later entries of a list after earlier ones.
 *
 * @throws DocumentError for one that cannot be read, or that extends itself
 */
export async function readRulesets(
  project: Source,
  { cwd, reader }: { readonly cwd: string; readonly reader: TextReader },
): Promise<readonly Source[]> {
  const done = new Map<string, Source>();
  async function visit(source: Source, chain: readonly string[]): Promise<void> {
    for (const { name, pointer } of extendsOf(source.value)) {
      const refuse = (message: string, fix: string) =>
        new DocumentError([diagnosticAt({ source, pointer }, { message, fix })]);
      const path = resolveRuleset(name, fileURLToPath(source.url));
      if (path === null) throw refuse(`ruleset "${name}" not found`, fixFor(name));
      if (done.has(path)) continue;
      if (chain.includes(path)) {
        const cycle = [...chain.slice(chain.indexOf(path)), path];
        const files = cycle.map((each) => relative(cwd, each)).join(' → ');
        throw refuse(`"${name}" extends itself: ${files}`, 'remove one of these references');
      }
      if (chain.length + done.size > MAX_RULESETS) {
        throw refuse(`more than ${MAX_RULESETS} rulesets`, 'merge some of them');
      }
      const text = await reader.read(relative(cwd, path)).catch((error: unknown) => {
        if (!(error instanceof DocumentError)) throw error;
        const { message, fix = fixFor(name) } = error.diagnostics[0]!;
        throw refuse(`"${name}": ${message}`, fix);
      });
      const ruleset = parseSource(text);
      await visit(ruleset, [...chain, path]);
      done.set(path, ruleset);
    }
  }
  const [named] = extendsOf(project.value);
  if (named === undefined) return [];
  if (!project.url.startsWith('file:')) {
    const message = 'a project file that was downloaded cannot extend rulesets';
    const fix = 'save it to a file, or remove "extends"';
    throw new DocumentError([
      diagnosticAt({ source: project, pointer: named.pointer }, { message, fix }),
    ]);
  }
  await visit(project, [fileURLToPath(project.url)]);
  return [...done.values()];
}

function extendsOf(value: Json): readonly { readonly name: string; readonly pointer: string }[] {
  const list = isObject(value) ? value['extends'] : undefined;
  if (typeof list === 'string') return [{ name: list, pointer: '/extends' }];
  if (!Array.isArray(list)) return [];
  // The schema reports entries of another type.
  return list.flatMap((name, index) =>
    typeof name === 'string' ? [{ name, pointer: `/extends/${index}` }] : [],
  );
}

const PATH = /^(?:\.{1,2}(?:[\\/]|$)|[\\/]|[A-Za-z]:[\\/])/;

/** Returns the path of a ruleset that a file names; null if it is an unknown package. */
function resolveRuleset(name: string, from: string): string | null {
  if (PATH.test(name)) return resolve(dirname(from), name);
  return /^[a-z][a-z0-9+.-]*:/i.test(name) ? null : findPackageFile(name, from);
}

function fixFor(name: string): string {
  if (PATH.test(name)) return 'check the path';
  const isUrl = name.includes(':');
  return isUrl
    ? 'a ruleset is a file: a path that starts with ./, or an installed package'
    : `a path starts with ./ (did you mean "./${name}"?); install a package, or correct its name`;
}
