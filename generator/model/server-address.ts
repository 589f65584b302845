import { isObject, type JsonObject } from '../../common/json/value.ts';

/** Returns a server's URL with variables, `{name}` or `${name}`, at their defaults (OpenRPC 1.3.2). */
function expandUrl(server: JsonObject): string {
  const url = typeof server['url'] === 'string' ? server['url'] : '';
  const variables = isObject(server['variables']) ? server['variables'] : {};
  return url.replaceAll(/\$?\{([^{}]*)\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    const value = isObject(variable) ? variable['default'] : undefined;
    return typeof value === 'string' ? value : whole;
  });
}

/**
 * Returns the absolute URL of a server, or null. A relative URL is resolved against `location`, the
 * URL that the document was downloaded from (OpenRPC 1.3.2, server object).
 */
export function addressOf(server: JsonObject, location: string | null): string | null {
  const url = expandUrl(server);
  // Unchanged, so that a placeholder such as <API_KEY> stays readable.
  if (/^[a-z][a-z0-9+.-]*:/i.test(url)) return URL.canParse(url) ? url : null;
  return location === null ? null : (URL.parse(url, location)?.href ?? null);
}

/** Checks whether a server's `url` is a URL or a relative reference, with or without variables. */
export function isServerUrl(text: string): boolean {
  const filled = text.replace(/^\$?\{[^{}]*\}(?=:)/, 'https').replaceAll(/\$?\{[^{}]*\}/g, '1');
  return !/[\s\\]/.test(filled) && URL.canParse(filled, 'https://example.org/openrpc.json');
}
