/** Small OpenRPC documents, and ways to have the generator work on them without a disk. */
import {
  DocumentError,
  unusable,
  wholeFile,
  type Diagnostic,
  type Location,
} from '../../../common/diagnostic.ts';
import { loadModel } from '../../../generator/document.ts';
import type { TextReader } from '../../../generator/files/text.ts';
import type { Model } from '../../../generator/model/model.ts';

export type Document = Readonly<Record<string, unknown>>;

/** A document of these methods; `more` adds members to it. */
export function documentOf(methods: readonly Document[], more: Document = {}): Document {
  return { openrpc: '1.3.2', info: { title: 'Test', version: '1.0.0' }, methods, ...more };
}

/** A method with one required parameter and a result. */
export function methodOf(name: string, param: unknown, result: unknown = true): Document {
  return {
    name,
    paramStructure: 'by-position',
    params: [{ name: 'value', required: true, schema: param }],
    result: { name: 'result', schema: result },
  };
}

/** Reads from a table of texts (or values, as JSON) by path, at file:///docs/. */
export function readerOf(files: Readonly<Record<string, unknown>>): TextReader {
  return {
    async read(location) {
      const path = location.replace('file:///docs/', '');
      const content = files[path];
      if (content === undefined) {
        const missing = { message: 'file not found', fix: 'check the path' };
        throw new DocumentError([unusable(wholeFile(location), missing)]);
      }
      const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
      return { name: path, url: `file:///docs/${path}`, text };
    },
  };
}

export function modelOf(document: Document): Promise<Model> {
  return loadModel('doc.json', readerOf({ 'doc.json': document }));
}

/** The diagnostics that make a document unusable, with their places; fails when there is none. */
export async function problemsOf(
  files: Readonly<Record<string, unknown>>,
  location = 'doc.json',
): Promise<readonly (Diagnostic & Location)[]> {
  try {
    await loadModel(location, readerOf(files));
  } catch (error) {
    if (error instanceof DocumentError) {
      return error.diagnostics.map((each) => ({ ...each, ...each.location }));
    }
    throw error;
  }
  throw new Error('the document was accepted');
}
