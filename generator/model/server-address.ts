import { isObject, type JsonObject } from '../../common/json/value.ts';

/** A server's URL with its variables at their defaults: `{name}` and `${name}` (OpenRPC 1.3.2). */
export function expandUrl(server: JsonObject): string {
  const url = typeof server['url'] === 'string' ? server['url'] : '';
  const variables = isObject(server['variables']) ? server['variables'] : {};
  return url.replaceAll(/\$?\{([^{}]*)\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    const value = isObject(variable) ? variable['default'] : undefined;
    return typeof value === 'string' ? value : whole;
  });
}

/**
 * The absolute URL of a server. A relative one starts where the document is served (OpenRPC 1.3.2,
 * server object), so it has none unless the document was downloaded, from `location`.
 */
export function addressOf(server: JsonObject, location: string | null): string | null {
  const url = expandUrl(server);
  // As it is written: a placeholder such as <API_KEY> in it is to stay readable.
  if (/^[a-z][a-z0-9+.-]*:/i.test(url)) return URL.canParse(url) ? url : null;
  return location === null ? null : (URL.parse(url, location)?.href ?? null);
}

/** Whether the text of a server's `url` may be one: a URL or a relative reference, with variables. */
export function isServerUrl(text: string): boolean {
  const filled = text.replace(/^\$?\{[^{}]*\}(?=:)/, 'https').replaceAll(/\$?\{[^{}]*\}/g, '1');
  return !/[\s\\]/.test(filled) && URL.canParse(filled, 'https://example.org/openrpc.json');
}
