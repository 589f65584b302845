import { type Diagnostic, DocumentError, unusable } from '../../common/diagnostic.ts';
import type { Json, JsonObject } from '../../common/json/value.ts';
import { refOfUrl } from '../files/git.ts';
import { parseSource } from '../source/parse.ts';
import type { Source } from '../source/source.ts';
import { ReadLimitError, type ReadUrl } from './limit-reads.ts';
import { diagnosticAt, type Places } from './places.ts';
import { findReferences, type HeldReference } from './references.ts';
import type { Resolver } from './resolver.ts';
import { readWellKnown } from './well-known.ts';

export interface BundleOptions {
  readonly read: ReadUrl;
  /**
   * Follow references to any origin. Without it, a local document may not refer to URLs, and a downloaded
   * one only to its own origin.
   */
  readonly allowRemote?: boolean;
  /** Finds local files for URLs. A URL that has a local file is not downloaded. */
  readonly resolver?: Resolver | undefined;
}

/** Maximum number of files; a document with more is a mistake or an attack. */
const MAX_FILES = 1000;

/** Files read at the same time. */
const MAX_READS = 8;

export interface ReferencedOptions extends BundleOptions {
  readonly root: Source;
  /** Receives the origins of all parts. */
  readonly places: Places;
}

/** The files of a document. */
interface Referenced {
  /** By absolute URL, the document itself included. */
  readonly sources: ReadonlyMap<string, Source>;
  /** References to files that cannot be read. */
  readonly unreachable: readonly Unreachable[];
  /** Errors in files that were read. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A reference that cannot be resolved. */
export interface Unreachable extends Diagnostic {
  /** The object that is, or was, the reference. */
  readonly holder: JsonObject;
  /** Whether it is a schema, which now allows any value. */
  readonly isOpened: boolean;
}

interface Outgoing extends HeldReference {
  /** The file that contains the reference. */
  readonly source: Source;
  /** The URL of the file that contains the target. */
  readonly url: string;
}

/** Reads every file that `document`, the value of `root`, refers to, directly or indirectly. */
export async function readReferenced(
  document: JsonObject,
  { root, read, places, allowRemote = false, resolver }: ReferencedOptions,
): Promise<Referenced> {
  const sources = new Map<string, Source>([[root.url, root]]);
  const failures = new Map<string, DocumentError>();
  const outgoing: Outgoing[] = [];
  const policy = { allowRemote, resolver };
  let ahead = outgoingOf(root, document);
  while (ahead.length > 0) {
    for (const each of ahead) outgoing.push(each);
    const followed = ahead.filter((each) => findRefusal(each, policy) === null);
    const isNew = ({ url }: Outgoing) => !sources.has(url) && !failures.has(url);
    const added = [...Map.groupBy(followed.filter(isNew), ({ url }) => url).values()];
    ahead = [];
    for (let next = 0; next < added.length; next += MAX_READS) {
      const chunk = added.slice(next, next + MAX_READS);
      if (sources.size + chunk.length > MAX_FILES) throw tooManyFiles(root);
      for (const [url, source] of await Promise.all(chunk.map(([first]) => load(first!)))) {
        if (source instanceof DocumentError) failures.set(url, source);
        else {
          sources.set(url, source);
          for (const each of outgoingOf(source, source.value, url)) ahead.push(each);
        }
      }
    }
  }
  return { sources, ...sortFailures(outgoing, failures, policy) };

  async function load({ url, source }: Outgoing): Promise<[string, Source | DocumentError]> {
    try {
      const known = readWellKnown(url);
      const how = { staysAtOrigin: !allowRemote, from: source.url };
      const parsed =
        (await resolver?.find(url)) ?? parseSource(known ?? { ...(await read(url, how)), url });
      places.add(parsed.value, parsed);
      return [url, parsed];
    } catch (error) {
      if (error instanceof DocumentError && !(error instanceof ReadLimitError)) return [url, error];
      throw error;
    }
  }
}

function outgoingOf(source: Source, value: Json, base = source.url): Outgoing[] {
  return [...findReferences(value)].flatMap((each) => {
    const { reference } = each;
    if (reference.startsWith('#') || !URL.canParse(reference, base)) return [];
    return [{ ...each, source, url: new URL(reference, base).href.replace(/#.*$/, '') }];
  });
}

function sortFailures(
  outgoing: readonly Outgoing[],
  failures: ReadonlyMap<string, DocumentError>,
  policy: Policy,
): Pick<Referenced, 'unreachable' | 'diagnostics'> {
  // Errors in a file are reported there; a missing file is reported at the reference.
  const diagnostics = [...failures.values()].flatMap((failure) =>
    failure.diagnostics.filter(({ location }) => location.line !== null),
  );
  const unreachable = outgoing.flatMap((each): Unreachable[] => {
    const { reference, holder, pointer, source } = each;
    const why = findRefusal(each, policy) ?? whyOf(failures.get(each.url));
    if (why === null) return [];
    const message = `the reference "${reference}" cannot be followed: ${why.message}`;
    const diagnostic = diagnosticAt({ source, pointer }, { message, fix: why.fix });
    return [{ ...diagnostic, holder, isOpened: false }];
  });
  return { diagnostics, unreachable };
}

/** Which references are followed. */
type Policy = Pick<BundleOptions, 'allowRemote' | 'resolver'>;

type Why = Pick<Diagnostic, 'message' | 'fix'>;

const CORRECT = 'correct the $ref';

function whyOf(failure: DocumentError | undefined): Why | null {
  const [why] = failure?.diagnostics ?? [];
  if (why === undefined) return null;
  const { file, line } = why.location;
  if (line === null) return { message: `${file}: ${why.message}`, fix: CORRECT };
  return { message: `${file} is invalid`, fix: `correct ${file}` };
}

/**
 * Returns why a reference is not followed, whatever its target. An untrusted document must not choose
 * the URLs that this machine fetches: some may be reachable only from here.
 */
function findRefusal({ source, url }: Outgoing, { allowRemote, resolver }: Policy): Why | null {
  if (resolver?.has(url) === true) return null;
  const isRemote = /^https?:/.test(url);
  const isDownloaded = /^https?:/.test(source.url) && source.isLocal !== true;
  if (isDownloaded && !isRemote) {
    return { message: 'a downloaded document must not refer to a local file', fix: CORRECT };
  }
  const ref = refOfUrl(url);
  if (ref !== null && (ref !== refOfUrl(source.url) || source.isLocal === true)) {
    return { message: 'a document must not name a Git commit', fix: 'use a relative path' };
  }
  if (!isRemote || allowRemote || readWellKnown(url) !== null) return null;
  const { origin } = new URL(url);
  if (isDownloaded && new URL(source.url).origin === origin) return null;
  const message = `it points to another origin, ${origin}`;
  const fix =
    'allow it with --allow-remote, or name the folder of a local file with this $id (--resolve)';
  return { message, fix };
}

function tooManyFiles({ name }: Source): DocumentError {
  const message = `the document refers to more than ${MAX_FILES} files`;
  const location = { file: name, line: 1, column: 1, pointer: '' };
  return new DocumentError([unusable(location, { message, fix: 'merge some of these files' })]);
}
