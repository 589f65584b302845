import { $RefParser, type JSONParserErrorGroup } from '@apidevtools/json-schema-ref-parser';
import { joinPointer, pointerOfFragment, splitPointer } from '../json/pointer.ts';
import type { Json, JsonObject } from '../json/value.ts';
import { DocumentError, describeProblem, type Problem } from '../problem/problem.ts';
import { parseSource } from '../source/parse.ts';
import type { Source, SourceText } from '../source/source.ts';
import { isLiteral } from './literal.ts';
import { problemAt, type Places } from './places.ts';

/** Reads the text at an absolute URL. */
export type ReadUrl = (url: string) => Promise<SourceText>;

/** A document in more files than this is a mistake, or an attack. */
const MAX_FILES = 1000;

/**
 * Takes what a document refers to in other files into it, each part once; all references to it then
 * point to that place. Changes `document`.
 *
 * @throws DocumentError for every file that cannot be read or parsed, and every reference into one
 *   that leads nowhere
 */
export async function bundleExternal(
  document: JsonObject,
  { source, read, places }: { source: Source; read: ReadUrl; places: Places },
): Promise<void> {
  const loaded = new Map<string, Source>([[source.url, source]]);
  const failures: Problem[] = [];

  async function load(url: string): Promise<Json> {
    const file = url.replace(/#.*$/, '');
    if (loaded.size > MAX_FILES) throw new Error(`more than ${MAX_FILES} files`);
    if (source.url.startsWith('http') && !file.startsWith('http')) {
      throw new Error('a downloaded document may not refer to a file of this machine');
    }
    try {
      const parsed = parseSource({ ...(await read(file)), url: file });
      loaded.set(file, parsed);
      places.add(parsed.value, parsed);
      return parsed.value;
    } catch (error) {
      if (error instanceof DocumentError) failures.push(...error.problems);
      throw error;
    }
  }

  // The plug-ins of the parser hand texts about; ours hands over the value it has read already.
  const values = new Map<string, Json>();
  const excludes = (path: string) => isLiteral(splitPointer(pointerOfFragment(path) ?? ''));
  const plugIn = { order: 1, canRead: true, canParse: true };
  try {
    await new $RefParser().bundle(source.url, document as object, {
      continueOnError: true,
      resolve: {
        file: false,
        http: false,
        specgate: {
          ...plugIn,
          read: async ({ url }: { url: string }) => {
            values.set(url, await load(url));
            return '';
          },
        },
      },
      parse: {
        json: false,
        yaml: false,
        text: false,
        binary: false,
        specgate: { ...plugIn, parse: ({ url }: { url: string }) => values.get(url) },
      },
      resolveExcludedPathMatcher: excludes,
      bundle: { excludedPathMatcher: excludes, optimizeInternalRefs: false },
    });
  } catch (error) {
    const { errors } = error as Partial<JSONParserErrorGroup>;
    if (errors === undefined) throw error;
    // A file that cannot be read is told where it is referred to; syntax errors, where they are.
    const syntax = failures.filter(({ line }) => line !== null);
    const told = errors.filter(
      ({ message }) => !syntax.some((problem) => message.includes(describeProblem(problem))),
    );
    const sourceOf = (url = source.url) => loaded.get(url.replace(/#.*$/, '')) ?? source;
    throw new DocumentError([
      ...told.map((each) => problemOf(each, sourceOf(each.source))),
      ...syntax,
    ]);
  }
}

type ParserError = JSONParserErrorGroup['errors'][number];

function problemOf(error: ParserError, source: Source): Problem {
  const pointer = (error.path ?? []).reduce<string>((at, token) => joinPointer(at, token), '');
  const what = error.message.split('\n')[0]!.replace(/\.$/, '');
  return problemAt(
    { source, pointer },
    { what: `the reference leads nowhere (${what})`, mend: 'correct the $ref' },
  );
}
