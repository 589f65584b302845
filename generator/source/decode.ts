import { DocumentError, unusable, wholeFile } from '../../common/diagnostic.ts';

/**
 * Decodes the text of a document, its byte order mark kept.
 *
 * @throws DocumentError when the bytes are not UTF-8 (RFC 8259, section 8.1)
 */
export function decodeText(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const isUtf16 = ['255 254', '254 255'].includes(`${bytes[0]} ${bytes[1]}`);
    const message = isUtf16 ? 'it is UTF-16' : 'it is not valid UTF-8';
    throw new DocumentError([unusable(wholeFile(name), { message, fix: 'save it as UTF-8' })]);
  }
}
