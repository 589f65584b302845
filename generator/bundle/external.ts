import { $RefParser, type JSONParserErrorGroup } from '@apidevtools/json-schema-ref-parser';
import { joinPointer } from '../json/pointer.ts';
import type { Json, JsonObject } from '../json/value.ts';
import { DocumentError, type Problem } from '../problem/problem.ts';
import type { Source } from '../source/source.ts';
import { createMasks } from './masks.ts';
import { problemAt, type Places } from './places.ts';
import { readReferenced, type ReadUrl, type Referenced, type Unreachable } from './referenced.ts';

export interface ExternalOptions {
  readonly source: Source;
  readonly read: ReadUrl;
  readonly places: Places;
  /** Put a schema that allows anything in the place of what cannot be read. */
  readonly allowUnresolved: boolean;
}

/**
 * Takes what a document refers to in other files into it, each part once; all references to it then
 * point to that place. Changes `document`.
 *
 * @returns a problem for every reference that was given up, which `allowUnresolved` allows
 * @throws DocumentError for every file that cannot be read or parsed, and every reference into one
 *   that leads nowhere
 */
export async function bundleExternal(
  document: JsonObject,
  { source, read, places, allowUnresolved }: ExternalOptions,
): Promise<readonly Problem[]> {
  const referenced = await readReferenced({ root: source, document }, { read, places });
  const { unreachable, problems } = referenced;
  const told = unreachable.map(({ problem }) => problem);
  if (problems.length > 0 || (told.length > 0 && !allowUnresolved)) {
    throw new DocumentError([...told, ...problems]);
  }
  for (const each of unreachable) openUp(each);
  await putIn(document, source, referenced);
  return told;
}

/** Makes a reference a schema that allows anything, with what stands beside it. */
function openUp({ holder }: Unreachable): void {
  delete (holder as Record<string, Json>)['$ref'];
}

async function putIn(document: JsonObject, source: Source, { sources }: Referenced): Promise<void> {
  const masks = createMasks();
  masks.hide(document);
  for (const each of sources.values()) if (each !== source) masks.hide(each.value);
  // The plug-ins of the parser hand texts about; ours hands over the value it has read already.
  const parse = ({ url }: { url: string }) => sources.get(url)?.value;
  const plugIn = { order: 1, canRead: true, canParse: true };
  try {
    await new $RefParser().bundle(source.url, document as object, {
      continueOnError: true,
      resolve: { file: false, http: false, specgate: { ...plugIn, read: () => '' } },
      parse: {
        json: false,
        yaml: false,
        text: false,
        binary: false,
        specgate: { ...plugIn, parse },
      },
      bundle: { optimizeInternalRefs: false },
    });
  } catch (error) {
    const { errors } = error as Partial<JSONParserErrorGroup>;
    if (errors === undefined) throw error;
    const sourceOf = (url = source.url) => sources.get(url.replace(/#.*$/, '')) ?? source;
    throw new DocumentError(errors.map((each) => problemOf(each, sourceOf(each.source))));
  }
  masks.restore(document);
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
