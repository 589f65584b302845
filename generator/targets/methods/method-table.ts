import { keepDigits } from '../../../common/json/exact.ts';
import { isObject } from '../../../common/json/value.ts';
import { createNullFinder, type AbsentNulls } from '../../model/absent-nulls.ts';
import { rowsOf } from '../../model/errors.ts';
import { createMarkFinder, type Mark } from '../../model/marks.ts';
import { numberAt, stringsAt, textAt } from '../../model/member.ts';
import type { MethodModel, Model, ParamModel } from '../../model/model.ts';
import { immutabilityOf } from '../../model/immutability.ts';
import { componentOf } from '../../model/type-names.ts';
import { objectAt } from '../../schema/document-schemas.ts';
import type {
  BlockParam,
  GasCap,
  MethodEntry,
  Normalization,
  ParamEntry,
} from './templates/method-entry.ts';

/** Extensions that describe the values of a parameter. */
const MARKS = ['x-gas-cap', 'x-normalize', 'x-block'];

/** Builds the method table of a document, by method name. */
export function methodTable(model: Model): Readonly<Record<string, MethodEntry>> {
  const findMarks = createMarkFinder(model, MARKS);
  const findNulls = createNullFinder(model);
  return Object.fromEntries(
    model.methods.map((method) => {
      const marks = method.params.flatMap(({ schema }, index) => findMarks(schema, `/${index}`));
      return [method.name, methodEntry(model, method, { marks, nulls: findNulls(method) })];
    }),
  );
}

function methodEntry(
  model: Model,
  method: MethodModel,
  { marks, nulls }: { readonly marks: readonly Mark[]; readonly nulls: AbsentNulls },
): MethodEntry {
  const { extensions, externalDocs } = method;
  const transports = objectAt(extensions, 'x-transports');
  return {
    name: method.name,
    summary: method.summary,
    credits: numberAt(extensions, 'x-credits') ?? 0,
    family: textAt(extensions, 'x-network-family') || null,
    transports: {
      supported: stringsAt(transports, 'supported'),
      documented: stringsAt(transports, 'documented'),
    },
    forwarding: objectAt(extensions, 'x-forwarding')['partner'] === true,
    paramStructure: method.paramStructure,
    stability: textAt(extensions, 'x-stability') || 'stable',
    deprecated: method.deprecated,
    deprecatedSince: textAt(extensions, 'x-deprecated-since') || null,
    sunset: textAt(extensions, 'x-sunset') || null,
    docs: textAt(externalDocs ?? {}, 'url') || null,
    params: method.params.map((param, index) =>
      paramEntry(model, param, nulls.params.includes(index)),
    ),
    gasCaps: unique(marks.flatMap(gasCapOf)),
    normalize: unique(marks.flatMap(normalizationOf)),
    nullMembers: nulls.members,
    blocks: unique(marks.flatMap(blockParamOf)),
    nullIfNotFound: extensions['x-not-found'] === 'null',
    immutable: immutabilityOf(method),
    errors: method.errors.map((error) => error.name ?? rowsOf(model, error)[0]!.name),
  };
}

function paramEntry(
  model: Model,
  { name, required, schema }: ParamModel,
  nullIsAbsent: boolean,
): ParamEntry {
  const nulls = nullIsAbsent ? { nullIsAbsent } : {};
  const component = componentOf(schema);
  const target = component === null ? schema : model.schemas.get(component)?.schema;
  if (required || !isObject(target) || target['default'] === undefined) {
    return { name, required, ...nulls };
  }
  // Created in its final form: a later copy would lose digits.
  const entry = { name, required, default: target['default'], ...nulls };
  keepDigits([target, 'default'], [entry, 'default']);
  return entry;
}

function gasCapOf({ schema, pointer }: Mark): readonly GasCap[] {
  const times = numberAt(objectAt(schema, 'x-gas-cap'), 'timesBlockGasLimit');
  return times === null ? [] : [{ pointer, timesBlockGasLimit: times }];
}

function normalizationOf({ schema, pointer }: Mark): readonly Normalization[] {
  const mark = objectAt(schema, 'x-normalize');
  const { to } = mark;
  if (to !== 'quantity' && to !== 'bytes32') return [];
  return [{ pointer, to, aliases: objectAt(mark, 'aliases') as Normalization['aliases'] }];
}

function blockParamOf({ schema, pointer }: Mark): readonly BlockParam[] {
  const reads = schema['x-block'];
  return reads === 'at' || reads === 'from' ? [{ pointer, reads }] : [];
}

function unique<T extends { readonly pointer: string }>(entries: readonly T[]): readonly T[] {
  return entries.filter(
    ({ pointer }, index) => entries.findIndex((other) => other.pointer === pointer) === index,
  );
}
