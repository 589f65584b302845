import { isObject, type Json } from '../../common/json/value.ts';

/** The kind of value at a place: an object of OpenRPC, a map or list of them, or data ("other"). */
type Kind =
  | 'document'
  | 'components'
  | 'methods'
  | 'method'
  | 'descriptors'
  | 'descriptor'
  | 'rows'
  | 'row'
  | 'schemas'
  | 'schema'
  | 'other'
  | 'unknown';

/** The kinds below each kind; "*" stands for all other keys. */
const BELOW: Readonly<Record<Kind, ReadonlyMap<string, Kind>>> = {
  document: kinds({
    other: 'openrpc info servers externalDocs',
    methods: 'methods',
    components: 'components',
    rows: 'x-errors',
    unknown: '*',
  }),
  components: kinds({
    schemas: 'schemas',
    descriptors: 'contentDescriptors',
    other: 'errors examples examplePairings examplePairingObjects links tags',
    unknown: '*',
  }),
  methods: kinds({ method: '*' }),
  method: kinds({ descriptors: 'params', descriptor: 'result', other: '*' }),
  descriptors: kinds({ descriptor: '*' }),
  descriptor: kinds({ schema: 'schema', other: '*' }),
  rows: kinds({ row: '*' }),
  row: kinds({ schema: 'data', other: '*' }),
  schemas: kinds({ schema: '*' }),
  schema: kinds({
    schemas: 'properties patternProperties dependencies definitions $defs allOf anyOf oneOf',
    other: 'default const enum examples',
    unknown: '*',
  }),
  other: kinds({ other: '*' }),
  unknown: kinds({ unknown: '*' }),
};

function kinds(keys: Partial<Record<Kind, string>>): ReadonlyMap<string, Kind> {
  return new Map(
    Object.entries(keys).flatMap(([kind, names]) =>
      names.split(' ').map((name) => [name, kind as Kind] as const),
    ),
  );
}

/** Kinds whose members may be extensions. */
const EXTENSIBLE = new Set<Kind>(['components', 'method', 'descriptor', 'row', 'schema']);

/**
 * Checks whether a place of `file`, which is an OpenRPC document or a part of one, may hold a JSON
 * Schema. Below extensions and unknown keywords, any place may.
 */
export function maySchemaStandAt(file: Json, tokens: readonly string[]): boolean {
  const isDocument = isObject(file) && typeof file['openrpc'] === 'string';
  let kind: Kind = isDocument ? 'document' : 'unknown';
  for (const token of tokens) {
    const isExtension: boolean = token.startsWith('x-') && EXTENSIBLE.has(kind);
    kind = isExtension ? 'unknown' : (BELOW[kind].get(token) ?? BELOW[kind].get('*')!);
  }
  return kind === 'schema' || kind === 'unknown';
}
