import { isObject, type JsonObject } from '../../common/json/value.ts';

/** Maximum length of an address. A variable may be used very often. */
const MAX_ADDRESS = 8_192;

/**
 * Returns a server's URL with variables, `{name}` or `${name}`, at their defaults (OpenRPC 1.3.2); null if it
 * is too long.
 */
function expandUrl(server: JsonObject): string | null {
  const url = typeof server['url'] === 'string' ? server['url'] : '';
  const variables = isObject(server['variables']) ? server['variables'] : {};
  let length = url.length;
  const expanded = url.replaceAll(/\$?\{([^{}]*)\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    const value = isObject(variable) ? variable['default'] : undefined;
    if (typeof value !== 'string') return whole;
    length += value.length - whole.length;
    return length > MAX_ADDRESS ? '' : value;
  });
  return length > MAX_ADDRESS ? null : expanded;
}

/**
 * Returns the absolute URL of a server, or null. A relative URL is resolved against `location`, the
 * URL that the document was downloaded from (OpenRPC 1.3.2, server object).
 */
export function addressOf(server: JsonObject, location: string | null): string | null {
  const url = expandUrl(server);
  if (url === null) return null;
  // Unchanged, so that a placeholder such as <API_KEY> stays readable.
  if (/^[a-z][a-z0-9+.-]*:/i.test(url)) return URL.canParse(url) ? url : null;
  return location === null ? null : (URL.parse(url, location)?.href ?? null);
}

/** Checks whether a server's `url` is a URL or a relative reference, with or without variables. */
export function isServerUrl(text: string): boolean {
  const filled = text.replace(/^\$?\{[^{}]*\}(?=:)/, 'https').replaceAll(/\$?\{[^{}]*\}/g, '1');
  return !/[\s\\]/.test(filled) && URL.canParse(filled, 'https://example.org/openrpc.json');
}
