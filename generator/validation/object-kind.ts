import { splitPointer } from '../../common/json/pointer.ts';

/** By the way to it (`*` is any one token), what an object of a document is in the meta-schema. */
const KINDS: readonly (readonly [string, string])[] = [
  ['', 'openrpcDocument'],
  ['info', 'infoObject'],
  ['info/contact', 'contactObject'],
  ['info/license', 'licenseObject'],
  ['externalDocs', 'externalDocumentationObject'],
  ['servers/*', 'serverObject'],
  ['methods/*', 'methodObject'],
  ['methods/*/externalDocs', 'externalDocumentationObject'],
  ['methods/*/servers/*', 'serverObject'],
  ['methods/*/params/*', 'contentDescriptorObject'],
  ['methods/*/result', 'contentDescriptorObject'],
  ['methods/*/tags/*', 'tagObject'],
  ['methods/*/errors/*', 'errorObject'],
  ['methods/*/links/*', 'linkObject'],
  ['methods/*/examples/*', 'examplePairingObject'],
  ['methods/*/examples/*/params/*', 'exampleObject'],
  ['methods/*/examples/*/result', 'exampleObject'],
  ['components/contentDescriptors/*', 'contentDescriptorObject'],
  ['components/tags/*', 'tagObject'],
  ['components/errors/*', 'errorObject'],
  ['components/links/*', 'linkObject'],
  ['components/examples/*', 'exampleObject'],
  ['components/examplePairings/*', 'examplePairingObject'],
  ['components/examplePairings/*/params/*', 'exampleObject'],
  ['components/examplePairings/*/result', 'exampleObject'],
];

const SCHEMAS = [
  'components/schemas/*',
  'components/contentDescriptors/*/schema',
  'methods/*/params/*/schema',
  'methods/*/result/schema',
];

/** The definition of the meta-schema that the object at `pointer` follows; null where it is unknown. */
export function kindOf(pointer: string): string | null {
  const tokens = splitPointer(pointer);
  const matches = (path: string, isWhole: boolean) => {
    const steps = path === '' ? [] : path.split('/');
    if (isWhole ? tokens.length !== steps.length : tokens.length < steps.length) return false;
    return steps.every((step, index) => step === '*' || step === tokens[index]);
  };
  const found = KINDS.find(([path]) => matches(path, true));
  if (found !== undefined) return found[1];
  return SCHEMAS.some((path) => matches(path, false)) ? 'JSONSchema' : null;
}
