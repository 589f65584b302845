import { keepDigits } from '../../../common/json/exact.ts';
import { isObject, type Json, type JsonObject } from '../../../common/json/value.ts';
import { createMarkFinder, type Mark, type MarkFinder } from '../../model/marks.ts';
import type { MethodModel, Model, ParamModel } from '../../model/model.ts';
import { componentOf } from '../../model/type-names.ts';
import type {
  BlockParam,
  GasCap,
  MethodEntry,
  Normalization,
  ParamEntry,
} from './templates/method-entry.ts';

/** Builds the method table of a document, by method name. */
export function methodTable(model: Model): Readonly<Record<string, MethodEntry>> {
  const finder = createMarkFinder(model, MARKS);
  return Object.fromEntries(
    model.methods.map((method) => [method.name, methodEntry(model, method, finder)]),
  );
}

/** Extensions that describe the values of a parameter. */
const MARKS = ['x-gas-cap', 'x-normalize', 'x-block'];

function methodEntry(model: Model, method: MethodModel, finder: MarkFinder): MethodEntry {
  const { extensions } = method;
  const credits = extensions['x-credits'];
  const marks = method.params.flatMap((param, index) => finder.find(param.schema, `/${index}`));
  return {
    name: method.name,
    summary: method.summary,
    credits: typeof credits === 'number' ? credits : 0,
    family: textOr(extensions['x-network-family'], null),
    transports: transportsOf(extensions['x-transports']),
    forwarding: membersOf(extensions['x-forwarding'])['partner'] === true,
    paramStructure: method.paramStructure,
    stability: textOr(extensions['x-stability'], 'stable'),
    deprecated: method.deprecated,
    deprecatedSince: textOr(extensions['x-deprecated-since'], null),
    sunset: textOr(extensions['x-sunset'], null),
    docs: textOr(method.externalDocs?.['url'], null),
    params: method.params.map((param) => paramEntry(model, param)),
    gasCaps: unique(marks.flatMap(gasCapOf)),
    normalize: unique(marks.flatMap(normalizationOf)),
    blocks: unique(marks.flatMap(blockParamOf)),
    notFound: notFoundOf(extensions['x-not-found']),
    errors: errorNames(model, method),
  };
}

function paramEntry(model: Model, { name, required, schema }: ParamModel): ParamEntry {
  const component = componentOf(schema);
  const target = component === null ? schema : model.schemas.get(component)?.schema;
  if (required || !isObject(target) || target['default'] === undefined) return { name, required };
  const entry = { name, required, default: target['default'] };
  keepDigits([target, 'default'], [entry, 'default']);
  return entry;
}

function gasCapOf({ schema, pointer }: Mark): readonly GasCap[] {
  const times = membersOf(membersOf(schema)['x-gas-cap'])['timesBlockGasLimit'];
  return typeof times === 'number' ? [{ pointer, timesBlockGasLimit: times }] : [];
}

function normalizationOf({ schema, pointer }: Mark): readonly Normalization[] {
  const { to, aliases } = membersOf(membersOf(schema)['x-normalize']);
  if (to !== 'quantity') return [];
  return [{ pointer, to, aliases: membersOf(aliases) as Readonly<Record<string, string>> }];
}

function blockParamOf({ schema, pointer }: Mark): readonly BlockParam[] {
  const reads = membersOf(schema)['x-block'];
  return reads === 'at' || reads === 'from' ? [{ pointer, reads }] : [];
}

function unique<T extends { readonly pointer: string }>(entries: readonly T[]): readonly T[] {
  return entries.filter(
    ({ pointer }, index) => entries.findIndex((other) => other.pointer === pointer) === index,
  );
}

function transportsOf(value: Json | undefined): MethodEntry['transports'] {
  const { supported, documented } = membersOf(value);
  return { supported: stringsOf(supported), documented: stringsOf(documented) };
}

function notFoundOf(value: Json | undefined): MethodEntry['notFound'] {
  const rows = Array.isArray(value) ? (value as readonly Json[]) : [];
  return rows.flatMap((row) => {
    const { code, message } = membersOf(row);
    return typeof code === 'number' && typeof message === 'string' ? [{ code, message }] : [];
  });
}

function errorNames(model: Model, method: MethodModel): readonly string[] {
  return method.errors.flatMap(({ name, code, message }) => {
    const row = model.errors.find((each) => each.code === code && each.message === message);
    const found = name ?? row?.name;
    return found === undefined ? [] : [found];
  });
}

function membersOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function stringsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function textOr<T>(value: Json | undefined, otherwise: T): string | T {
  return typeof value === 'string' ? value : otherwise;
}
