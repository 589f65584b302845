import type { JsonObject } from '../../common/json/value.ts';
import { listAt } from '../schema/document-schemas.ts';
import type { Mutable } from './references.ts';

/** Makes `url` the only server of a document and of each of its methods. Changes `document`. */
export function replaceServers(document: JsonObject, url: string): void {
  (document as Mutable)['servers'] = [{ name: 'default', url }];
  for (const method of listAt(document, 'methods')) delete (method as Mutable)['servers'];
}
