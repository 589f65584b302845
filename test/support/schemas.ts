/**
 * Ajv over the document itself, as an oracle independent of the generated validators: the schemas
 * are compiled where they stand, references and all.
 */
import { base58 } from '@scure/base';
import { Ajv } from 'ajv';
import type { ValidateFunction } from 'ajv';
import { document, type Document } from './document.ts';

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

export function compilePointer(pointer: string, source: Document = document): ValidateFunction {
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
  });
  ajv.addFormat('date-time', true);
  ajv.addKeyword({
    keyword: 'x-format',
    type: 'string',
    validate: (name: keyof typeof forms, text: string) => forms[name](text),
  });
  ajv.addSchema({ $id: 'specgate:document', ...structuredClone(source) });
  const encoded = pointer
    .split('/')
    .map((part) => encodeURIComponent(part))
    .join('/');
  return ajv.compile({ $ref: `specgate:document#${encoded}` });
}
