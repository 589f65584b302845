import type { MethodModel, Model, ParamModel } from '../../model/model.ts';
import { lowerShouted } from '../../model/casing.ts';
import { createNames } from '../../model/names.ts';
import { RECENT_LETTERS } from '../../model/recent-letters.ts';
import { type ErrorClass, nameErrorClasses } from '../client-view/errors.ts';
import { unscopedName } from '../client-view/package.ts';
import { reservedMembers, reservedParameters, reservedTypes } from './reserved.ts';

/** Returns the name of the module to import: the package's name in snake case. */
export function moduleName(model: Model): string {
  const name = unscopedName(model).replaceAll(/[.-]+/g, '_');
  return /^\d/.test(name) ? `_${name}` : name;
}

/** Names the methods of a client: "eth_get_proof" for "eth_getProof". */
export function nameMethods(model: Model): ReadonlyMap<MethodModel, string> {
  const names = createNames({ kind: '_method', reserved: reservedMembers, casing: snakeCase });
  return new Map(model.methods.map((method) => [method, names.claim(method.name)]));
}

export function nameParameters(method: MethodModel): ReadonlyMap<ParamModel, string> {
  const names = createNames({ kind: '_param', reserved: reservedParameters, casing: snakeCase });
  return new Map(method.params.map((param) => [param, names.claim(param.name)]));
}

/** Names the error classes like the TypeScript client, as far as Python allows. */
export function nameErrors(model: Model): readonly ErrorClass[] {
  const names = createNames({ kind: 'OfService', reserved: reservedTypes, casing: classCase });
  return nameErrorClasses(model).map((each) => ({
    ...each,
    className: names.claim(each.className),
  }));
}

// Python compares identifiers after NFKC normalization and allows Unicode's XID characters (The Python
// Language Reference, section 2.3), in its own version of Unicode: 14 in Python 3.11.
const SEPARATOR = new RegExp(String.raw`[^\p{XID_Continue}]|[_${RECENT_LETTERS}]`, 'u');
const IDENTIFIER = new RegExp(
  String.raw`^(?!.*[${RECENT_LETTERS}])[\p{XID_Start}_]\p{XID_Continue}*$`,
  'u',
);

/** Returns "eth_get_proof" for "eth_getProof", "url_of" for "URLOf", "_3d" for "3d". */
export function snakeCase(name: string): string {
  const words = wordsOf(name).map((word) =>
    word
      .replaceAll(/(\p{Ll}|\p{N})(?=\p{Lu})/gu, '$1_')
      .replaceAll(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1_')
      .toLowerCase(),
  );
  return startAsIdentifier(words.join('_'));
}

/** Returns "EthGetProof" for "eth_getProof". */
export function classCase(name: string): string {
  const words = lowerShouted(wordsOf(name)).map((word) => {
    const [first = '', ...rest] = word;
    // The capital of an old letter may be a recent one.
    const capital = first.toUpperCase();
    return (new RegExp(`[${RECENT_LETTERS}]`, 'u').test(capital) ? first : capital) + rest.join('');
  });
  return startAsIdentifier(words.join(''));
}

/** Checks whether a name is an identifier in normalized form. */
export function isIdentifier(name: string): boolean {
  return IDENTIFIER.test(name) && name === name.normalize('NFKC');
}

function wordsOf(name: string): readonly string[] {
  return name
    .normalize('NFKC')
    .split(SEPARATOR)
    .filter((word) => word !== '');
}

function startAsIdentifier(name: string): string {
  const normal = name.normalize('NFKC');
  return normal === '' || /^\p{XID_Start}/u.test(normal) ? normal : `_${normal}`;
}
