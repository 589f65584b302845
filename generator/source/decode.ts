import { DocumentError, unusable, wholeFile } from '../../common/diagnostic.ts';

/**
 * The text of a document, its byte order mark kept.
 *
 * @throws DocumentError where the bytes are not UTF-8 (RFC 8259, section 8.1)
 */
export function decodeText(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const mark = `${bytes[0]} ${bytes[1]}`;
    const is = mark === '255 254' || mark === '254 255' ? 'it is UTF-16' : 'it is not valid UTF-8';
    throw new DocumentError([unusable(wholeFile(name), { message: is, fix: 'save it as UTF-8' })]);
  }
}
