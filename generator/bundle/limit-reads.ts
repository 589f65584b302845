import { DocumentError, unusable, wholeFile } from '../../common/diagnostic.ts';
import type { ReadOptions, SourceText } from '../source/source.ts';

/** Reads the text at an absolute URL. */
export type ReadUrl = (url: string, options?: ReadOptions) => Promise<SourceText>;

/** Maximum size of all files of a document together. */
const MAX_TOTAL_BYTES = 256 * 1024 * 1024;

/** Maximum time from the start of a document's first download to the end of its last one. */
const TOTAL_DOWNLOAD_MS = 120_000;

/** Thrown for the file that makes a document exceed a limit; no other file is read after it. */
export class ReadLimitError extends DocumentError {}

/**
 * Limits the total size and time of the reads of one document: it may refer to many files, each of which
 * is within the limits for one file. Each host name keeps its addresses during these reads.
 */
export function limitReads(
  read: ReadUrl,
  { maxBytes = MAX_TOTAL_BYTES, downloadMs = TOTAL_DOWNLOAD_MS } = {},
): ReadUrl {
  const load = {};
  const tooLarge = new AbortController();
  let deadline: AbortSignal | undefined;
  let bytes = 0;
  return async (url, options) => {
    // Input that the user pipes in may take any time.
    if (/^https?:/i.test(url)) deadline ??= AbortSignal.timeout(downloadMs);
    const signals = deadline === undefined ? [] : [deadline];
    const signal = AbortSignal.any([tooLarge.signal, ...signals]);
    const text = await read(url, { ...options, load, signal }).catch((error: unknown) => {
      if (deadline?.aborted !== true) throw error;
      const message = `the files of the document take longer than ${downloadMs / 1000} seconds to download`;
      throw limitError(url, message, 'refer to fewer files, or to local copies');
    });
    bytes += Buffer.byteLength(text.text);
    if (bytes <= maxBytes) return text;
    tooLarge.abort();
    const message = `with this file the document is larger than ${maxBytes / 1024 / 1024} MiB`;
    throw limitError(text.name, message, 'refer to fewer or smaller files');
  };
}

function limitError(file: string, message: string, fix: string): ReadLimitError {
  return new ReadLimitError([unusable(wholeFile(file), { message, fix })]);
}
