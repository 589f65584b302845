import { buffer } from 'node:stream/consumers';
import { DocumentError, unusable, wholeFile } from '../../common/diagnostic.ts';
import { decodeText } from '../source/decode.ts';
import { MAX_FILE_BYTES } from './regular-file.ts';

/**
 * Reads a stream to its end as the text of a document.
 *
 * @throws DocumentError if the text is too large or not Unicode
 */
export async function readStream(
  stream: AsyncIterable<Uint8Array> | null | undefined,
  name: string,
): Promise<string> {
  const bytes = stream ? await buffer(bounded(stream, name)) : new Uint8Array();
  return decodeText(bytes, name);
}

async function* bounded(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MAX_FILE_BYTES) throw tooLarge(name);
    yield chunk;
  }
}

/** Returns the error for a document that is larger than the limit. */
export function tooLarge(file: string): DocumentError {
  return unreadable(file, `it is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB`, 'split it');
}

export function unreadable(file: string, message: string, fix: string): DocumentError {
  return new DocumentError([unusable(wholeFile(file), { message, fix })]);
}
