import { describeDiagnostic } from '../../common/diagnostic.ts';
import { loadDocument, type LoadedDocument, type LoadOptions } from '../../generator/document.ts';
import { createTextReader, type TextReader } from '../../generator/files/text.ts';

/** Loads a document and prints a warning for each of its unresolved references. */
export async function openDocument(
  location: string,
  options: LoadOptions,
  reader: TextReader = createTextReader({ stdin: process.stdin }),
): Promise<LoadedDocument> {
  const loaded = await loadDocument(location, reader, options);
  for (const diagnostic of loaded.unresolved) {
    const fix = 'any value is allowed there';
    console.error(`warning: ${describeDiagnostic({ ...diagnostic, fix })}`);
  }
  return loaded;
}
