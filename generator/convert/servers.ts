import { isObject, type Json, type JsonObject } from '../../common/json/value.ts';

export interface PlacedServers {
  /** Server objects of OpenAPI. */
  readonly servers: readonly JsonObject[];
  /** The path that completes the URL of each server, such as "/rpc"; "/" for several paths. */
  readonly path: string;
  /** The variables in the path, as parameter objects. */
  readonly parameters: readonly JsonObject[];
}

interface Split {
  readonly server: JsonObject;
  /** The URL, with variables as `{name}`, up to its last segment. */
  readonly base: string;
  readonly segment: string;
}

/**
 * Splits the URLs of HTTP servers, because OpenAPI appends a path, at least "/", to each of them: the
 * last segment that all of them share becomes the path. Servers of other protocols are left out.
 */
export function placeServers(servers: readonly JsonObject[]): PlacedServers {
  const split = servers.flatMap(splitUrl);
  const [first] = split;
  const isShared = split.every(({ segment }) => segment === first?.segment);
  const segment = isShared ? (first?.segment ?? '') : '';
  return {
    servers: split.map(({ server, base, segment: own }) => {
      const url = isShared ? base : `${base}/${own}`.replace(/\/$/, '');
      return toServer(server, url || '/');
    }),
    path: `/${segment}`,
    parameters: [...namesIn(segment)].map((name) =>
      toParameter(name, variableOf(first!.server, name)),
    ),
  };
}

function splitUrl(server: JsonObject): readonly Split[] {
  const text = typeof server['url'] === 'string' ? server['url'] : '';
  // OpenRPC 1.3.2 writes variables as ${name}, earlier versions as {name}.
  const url = text
    .replaceAll('${', '{')
    .replace(/[?#].*$/, '')
    .replace(/\/$/, '');
  if (/^(?!https?:)[a-z][a-z0-9+.-]*:/i.test(url)) return [];
  const [, base = url, segment = ''] = /^(.*[^/])\/([^/]+)$/.exec(url) ?? [];
  return [base.endsWith(':') ? { server, base: url, segment: '' } : { server, base, segment }];
}

function namesIn(template: string): ReadonlySet<string> {
  return new Set([...template.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name!));
}

function variableOf({ variables }: JsonObject, name: string): JsonObject {
  const own = isObject(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined;
  return isObject(own) ? own : {};
}

function toServer(server: JsonObject, url: string): JsonObject {
  const description = [server['summary'], server['description']].filter(Boolean).join(' ');
  const variables = [...namesIn(url)].map((name) => {
    const { default: preset = '', ...rest } = variableOf(server, name);
    return [name, { ...textsOf(rest), default: String(preset) }] as const;
  });
  return {
    url,
    ...(description !== '' && { description }),
    ...(variables.length > 0 && { variables: Object.fromEntries(variables) }),
  };
}

function toParameter(name: string, variable: JsonObject): JsonObject {
  const { description, ...values } = textsOf(variable);
  const preset = variable['default'];
  return {
    name,
    in: 'path',
    required: true,
    ...(description !== undefined && { description }),
    schema: { type: 'string', ...values, ...(preset !== undefined && { default: preset }) },
  };
}

/** Returns the members of a variable that OpenAPI supports, except its default. */
function textsOf({ description, enum: values }: JsonObject): Record<string, Json> {
  return {
    ...(typeof description === 'string' && { description }),
    ...(Array.isArray(values) && values.length > 0 && { enum: values }),
  };
}
