import { describeDiagnostic } from '../../common/diagnostic.ts';
import { loadDocument, type LoadedDocument, type LoadOptions } from '../../generator/document.ts';
import { createTextReader, type TextReader } from '../../generator/files/text.ts';

/** Loads a document and prints a warning for each broken part that it is used without. */
export async function openDocument(
  location: string,
  options: LoadOptions,
  reader: TextReader = createTextReader({ stdin: process.stdin }),
): Promise<LoadedDocument> {
  const loaded = await loadDocument(location, reader, options);
  warnOfOmissions(loaded);
  return loaded;
}

/** Prints a warning for each broken part that a document is used without. */
export function warnOfOmissions({ omissions }: Pick<LoadedDocument, 'omissions'>): void {
  for (const omission of omissions) {
    console.error(`warning: ${describeDiagnostic(omission)} (${omission.effect})`);
  }
}
