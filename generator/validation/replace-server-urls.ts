import { isObject, type Json, type JsonObject } from '../../common/json/value.ts';
import { isServerUrl } from '../model/server-address.ts';
import { listAt, objectAt } from '../schema/document-schemas.ts';

/**
 * Replaces the URLs of servers that the specification allows (relative, with variables) but the
 * meta-schema does not. Changes `document`.
 */
export function replaceServerUrls(document: JsonObject): void {
  const methods = listAt(document, 'methods');
  const links = [
    ...methods.flatMap((method) => listAt(method, 'links')),
    ...Object.values(objectAt(objectAt(document, 'components'), 'links')).filter((each) =>
      isObject(each),
    ),
  ];
  const servers = [
    ...listAt(document, 'servers'),
    ...methods.flatMap((method) => listAt(method, 'servers')),
    ...links.map((link) => objectAt(link as JsonObject, 'server')),
  ];
  for (const server of servers) {
    const { url } = server;
    if (typeof url === 'string' && isServerUrl(url)) {
      (server as Record<string, Json>)['url'] = 'https://example.org/';
    }
  }
}
