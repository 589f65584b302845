import type { MethodModel, Model, ParamModel } from '../../model/model.ts';
import { createNames } from '../../model/names.ts';
import { type ErrorClass, nameErrorClasses } from '../client-view/errors.ts';
import { packageName } from '../client-view/package.ts';
import { classCase, snakeCase } from './casing.ts';
import { reservedMembers, reservedParameters, reservedTypes } from './reserved.ts';

/** Returns the name of the module to import: the package's name in snake case. */
export function moduleName({ info }: Model): string {
  const name = packageName(info.title).replaceAll('-', '_');
  return /^\d/.test(name) ? `_${name}` : name;
}

/** Names the methods of a client: "eth_get_proof" for "eth_getProof". */
export function nameMethods(model: Model): ReadonlyMap<MethodModel, string> {
  const names = createNames({ kind: '_method', reserved: reservedMembers, casing: snakeCase });
  return new Map(model.methods.map((method) => [method, names.claim(method.name)]));
}

/** Names a method's parameters. */
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
