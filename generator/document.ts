import type { TextReader } from './files/text.ts';
import type { JsonObject } from './json/value.ts';
import { buildModel } from './model/build.ts';
import type { Model } from './model/model.ts';
import { parseSource } from './source/parse.ts';

/**
 * The Model of the document at `location`: a path, a URL, or "-" for standard input.
 *
 * @throws DocumentError listing everything that makes the document unusable
 */
export async function loadModel(location: string, reader: TextReader): Promise<Model> {
  const source = parseSource(await reader.read(location));
  return buildModel(source.value as JsonObject);
}
