import { type Diagnostic, DocumentError, unusable } from '../../common/diagnostic.ts';
import { valueAt } from '../../common/json/pointer.ts';
import type { Json, JsonObject } from '../../common/json/value.ts';
import { parseSource } from '../source/parse.ts';
import type { ReadOptions, Source, SourceText } from '../source/source.ts';
import { diagnosticAt, type Places } from './places.ts';
import { findReferences, type Reference } from './references.ts';
import { readWellKnown } from './well-known.ts';

/** Reads the text at an absolute URL. */
export type ReadUrl = (url: string, options?: ReadOptions) => Promise<SourceText>;

/** A document in more files than this is a mistake, or an attack. */
const MAX_FILES = 1000;

/** Read at the same time. */
const MAX_READS = 8;

/** Everything that a document is made of. */
export interface Referenced {
  /** By absolute URL, the document itself included. */
  readonly sources: ReadonlyMap<string, Source>;
  /** References that cannot be followed, because what they lead to cannot be read. */
  readonly unreachable: readonly Unreachable[];
  /** What makes files that were read unusable. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A reference that cannot be followed. */
export interface Unreachable extends Diagnostic {
  /** The object that is, or was, the reference. */
  readonly holder: JsonObject;
}

interface Outgoing extends Reference {
  /** Where it stands. */
  readonly source: Source;
  readonly value: Json;
  /** Where it leads. */
  readonly url: string;
}

interface Reading {
  readonly read: ReadUrl;
  readonly places: Places;
  readonly allowRemote: boolean;
}

/** Reads every file that `document`, the value of `root`, refers to, and those they refer to. */
export async function readReferenced(
  { root, document }: { readonly root: Source; readonly document: JsonObject },
  { read, places, allowRemote }: Reading,
): Promise<Referenced> {
  const sources = new Map<string, Source>([[root.url, root]]);
  const failures = new Map<string, DocumentError>();
  const outgoing: Outgoing[] = [];
  let ahead = outgoingOf(root, document);
  while (ahead.length > 0) {
    for (const each of ahead) outgoing.push(each);
    const followed = ahead.filter((each) => findRefusal(each, allowRemote) === null);
    const urls = [...new Set(followed.map(({ url }) => url))].filter(
      (url) => !sources.has(url) && !failures.has(url),
    );
    ahead = [];
    for (let next = 0; next < urls.length; next += MAX_READS) {
      const chunk = urls.slice(next, next + MAX_READS);
      if (sources.size + chunk.length > MAX_FILES) throw tooManyFiles(root);
      for (const [url, source] of await Promise.all(chunk.map(load))) {
        if (source instanceof DocumentError) failures.set(url, source);
        else {
          sources.set(url, source);
          for (const each of outgoingOf(source, source.value, url)) ahead.push(each);
        }
      }
    }
  }
  return {
    sources,
    ...sortFailures(outgoing, failures, allowRemote),
  };

  async function load(url: string): Promise<[string, Source | DocumentError]> {
    try {
      const known = readWellKnown(url);
      const source = parseSource(
        known ?? { ...(await read(url, { staysAtOrigin: !allowRemote })), url },
      );
      places.add(source.value, source);
      return [url, source];
    } catch (error) {
      if (error instanceof DocumentError) return [url, error];
      throw error;
    }
  }
}

function outgoingOf(source: Source, value: Json, base = source.url): Outgoing[] {
  return [...findReferences(value)].flatMap(({ reference, pointer }) => {
    if (reference.startsWith('#') || !URL.canParse(reference, base)) return [];
    const url = new URL(reference, base).href.replace(/#.*$/, '');
    return [{ reference, pointer, source, value, url }];
  });
}

function sortFailures(
  outgoing: readonly Outgoing[],
  failures: ReadonlyMap<string, DocumentError>,
  allowRemote: boolean,
): Pick<Referenced, 'unreachable' | 'diagnostics'> {
  // Errors in a file are reported there; a missing file is reported at the reference.
  const diagnostics = [...failures.values()].flatMap((failure) =>
    failure.diagnostics.filter(({ location }) => location.line !== null),
  );
  const unreachable = outgoing.flatMap((each): Unreachable[] => {
    const { reference, pointer, source, value } = each;
    const why = findRefusal(each, allowRemote) ?? whyOf(failures.get(each.url));
    if (why === null) return [];
    const message = `the reference "${reference}" cannot be followed: ${why.message}`;
    const holder = (pointer === '' ? value : valueAt(value, pointer)) as JsonObject;
    return [{ ...diagnosticAt({ source, pointer }, { message, fix: why.fix }), holder }];
  });
  return { diagnostics, unreachable };
}

type Why = Pick<Diagnostic, 'message' | 'fix'>;

function whyOf(failure: DocumentError | undefined): Why | null {
  const why = failure?.diagnostics.find(({ location }) => location.line === null);
  return why === undefined
    ? null
    : { message: `${why.location.file}: ${why.message}`, fix: CORRECT };
}

const CORRECT = 'correct the $ref';

/**
 * Why a reference is not followed, whatever it leads to. A document must not choose what this machine
 * fetches: it may be someone else's, and the address one that only this machine can reach.
 */
function findRefusal({ source, url }: Outgoing, allowRemote: boolean): Why | null {
  const isRemote = /^https?:/.test(url);
  if (/^https?:/.test(source.url) && !isRemote) {
    return {
      message: 'a downloaded document may not refer to a file of this machine',
      fix: CORRECT,
    };
  }
  if (!isRemote || allowRemote || readWellKnown(url) !== null) return null;
  const { origin } = new URL(url);
  if (new URL(source.url).origin === origin) return null;
  const message = `it leads to another origin, ${origin}`;
  return { message, fix: 'allow it with --allow-remote, or refer to a copy' };
}

function tooManyFiles({ name }: Source): DocumentError {
  const message = `it refers to more than ${MAX_FILES} files`;
  const location = { file: name, line: 1, column: 1, pointer: '' };
  return new DocumentError([unusable(location, { message, fix: 'merge some of them' })]);
}
