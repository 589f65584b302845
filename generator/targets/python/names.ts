import type { MethodModel, Model, ParamModel } from '../../model/model.ts';
import { createNames } from '../../model/names.ts';
import { type ErrorClass, nameErrorClasses } from '../client/error-classes.ts';
import { packageName } from '../client/manifest.ts';
import { classCase, snakeCase } from './casing.ts';
import { reservedErrors, reservedMembers, reservedParameters } from './reserved.ts';

/** The package as it is imported: the name of the distribution in snake case. */
export function moduleName(model: Model): string {
  const name = packageName(model.info.title).replaceAll('-', '_');
  return /^\d/.test(name) ? `_${name}` : name;
}

/** The names of the methods of a client, by the method's own: "eth_get_proof" for "eth_getProof". */
export function nameMethods(model: Model): ReadonlyMap<MethodModel, string> {
  const names = createNames({ kind: '_method', reserved: reservedMembers, casing: snakeCase });
  return new Map(model.methods.map((method) => [method, names.claim(method.name)]));
}

/** The names of a method's parameters. */
export function nameParameters(method: MethodModel): ReadonlyMap<ParamModel, string> {
  const names = createNames({ kind: '_param', reserved: reservedParameters, casing: snakeCase });
  return new Map(method.params.map((param) => [param, names.claim(param.name)]));
}

/** The classes of errors, by the names the TypeScript client gives them, as far as Python can. */
export function nameErrors(model: Model): readonly ErrorClass[] {
  const names = createNames({ kind: 'OfService', reserved: reservedErrors, casing: classCase });
  return nameErrorClasses(model).map((each) => ({
    ...each,
    className: names.claim(each.className),
  }));
}
