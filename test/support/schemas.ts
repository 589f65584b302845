/**
 * Ajv over the document itself, as an oracle independent of the generated validators: the schemas
 * are compiled where they stand, references and all.
 */
import { base58 } from '@scure/base';
import { Ajv } from 'ajv';
import type { ValidateFunction } from 'ajv';
import { document } from './document.ts';

function isPublicKey(text: string): boolean {
  try {
    return base58.decode(text).length === 32;
  } catch {
    return false;
  }
}

function isBase58(text: string): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]*$/.test(text);
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

const forms = { 'solana-public-key': isPublicKey, base58: isBase58, base64: isBase64 };

let ajv: Ajv | undefined;

/** Adds the document to a new Ajv. */
function loadDocument(): Ajv {
  const loaded = new Ajv({ strict: false, allErrors: true });
  loaded.addFormat('date-time', true);
  loaded.addKeyword({
    keyword: 'x-format',
    type: 'string',
    validate: (name: keyof typeof forms, text: string) => forms[name](text),
  });
  return loaded.addSchema({ $id: 'specgate:document', ...structuredClone(document) });
}

/** Compiles the schema at a pointer of the document. */
export function compilePointer(pointer: string): ValidateFunction {
  ajv ??= loadDocument();
  const encoded = pointer
    .split('/')
    .map((part) => encodeURIComponent(part))
    .join('/');
  return ajv.compile({ $ref: `specgate:document#${encoded}` });
}
