import { splitPointer } from '../../common/json/pointer.ts';

/** The objects of each definition of the meta-schema, by their paths; `*` is any one token. */
const PATHS: Readonly<Record<string, readonly string[]>> = {
  openrpcDocument: [''],
  infoObject: ['info'],
  contactObject: ['info/contact'],
  licenseObject: ['info/license'],
  externalDocumentationObject: ['externalDocs', 'methods/*/externalDocs'],
  serverObject: ['servers/*', 'methods/*/servers/*'],
  methodObject: ['methods/*'],
  contentDescriptorObject: [
    'methods/*/params/*',
    'methods/*/result',
    'components/contentDescriptors/*',
  ],
  tagObject: ['methods/*/tags/*', 'components/tags/*'],
  errorObject: ['methods/*/errors/*', 'components/errors/*'],
  linkObject: ['methods/*/links/*', 'components/links/*'],
  // The specification names them examplePairingObjects, its meta-schema examplePairings.
  examplePairingObject: [
    'methods/*/examples/*',
    'components/examplePairings/*',
    'components/examplePairingObjects/*',
  ],
  exampleObject: [
    'methods/*/examples/*/params/*',
    'methods/*/examples/*/result',
    'components/examples/*',
    'components/examplePairings/*/params/*',
    'components/examplePairings/*/result',
    'components/examplePairingObjects/*/params/*',
    'components/examplePairingObjects/*/result',
  ],
};

/** Schemas, and everything below them. */
const SCHEMA_PATHS = [
  'components/schemas/*',
  'components/contentDescriptors/*/schema',
  'methods/*/params/*/schema',
  'methods/*/result/schema',
];

/** Returns the definition of the meta-schema for the object at `pointer`, or null. */
export function kindOf(pointer: string): string | null {
  const tokens = splitPointer(pointer);
  const isBelow = (path: string) =>
    stepsOf(path).every((step, at) => at < tokens.length && (step === '*' || step === tokens[at]));
  const isAt = (path: string) => stepsOf(path).length === tokens.length && isBelow(path);
  const found = Object.keys(PATHS).find((kind) => PATHS[kind]!.some(isAt));
  return found ?? (SCHEMA_PATHS.some(isBelow) ? 'JSONSchema' : null);
}

function stepsOf(path: string): readonly string[] {
  return path === '' ? [] : path.split('/');
}
