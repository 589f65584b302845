import type { ParamModel } from '../../model/model.ts';
import { reportAt, type Change } from '../change.ts';
import {
  compareSchemas,
  reportOf,
  schemaOf,
  type Both,
  type Context,
  type MethodPair,
} from './context.ts';
import type { KindId } from '../kinds/index.ts';
import { joinPointer } from '../../../common/json/pointer.ts';
import { isSame } from '../../containment/canonical.ts';
import { compareExtensions } from '../schema/annotations.ts';

type ParamPair = Both<ParamModel>;

/** The position of each parameter of a method. */
type Positions = ReadonlyMap<ParamModel, number>;

function positionsOf(params: readonly ParamModel[]): Positions {
  return new Map(params.map((param, at) => [param, at]));
}

export function compareParams(context: Context, pair: MethodPair): readonly Change[] {
  const { old, new: fresh } = pair;
  const positions = { old: positionsOf(old.params), new: positionsOf(fresh.params) };
  const matched = matchParams(context, pair, positions);
  const isMatched = new Set(matched.flatMap((each) => [each.old, each.new]));
  const removed = old.params.filter((param) => !isMatched.has(param));
  const added = fresh.params.filter((param) => !isMatched.has(param));
  const lastMatched = fresh.params.findLastIndex((param) => isMatched.has(param));
  return [
    ...compareStructure(pair),
    ...compareOrder(pair, matched, positions),
    ...removed.map(({ name, pointer }) => {
      const places = { old: pointer, new: `${fresh.pointer}/params` };
      return reportParam(pair, name, places)('param-removed', 'was removed', name);
    }),
    ...added.map((param) => addition(pair, param, { at: positions.new.get(param)!, lastMatched })),
    ...matched.flatMap((each) => compareParam(context, pair, each)),
  ];
}

function reportParam({ new: { name: method } }: MethodPair, name: string, places: Both<string>) {
  return reportAt({ ...places, subject: `${method}, parameter "${name}"`, methods: [method] });
}

/** Pairs parameters of the same name, then renamed ones at the same position. */
function matchParams(
  { containments: { pool } }: Context,
  { old, new: fresh }: MethodPair,
  positions: Both<Positions>,
): readonly ParamPair[] {
  const freshByName = new Map(fresh.params.toReversed().map((param) => [param.name, param]));
  const byName = old.params.flatMap((param): ParamPair[] => {
    const same = freshByName.get(param.name);
    return same === undefined ? [] : [{ old: param, new: same }];
  });
  const isPaired = new Set(byName.flatMap((each) => [each.old, each.new]));
  const left = old.params.filter((param) => !isPaired.has(param));
  const over = fresh.params.filter((param) => !isPaired.has(param));
  const isAlike = (param: ParamModel, other: ParamModel) =>
    pool.of('new', other.schema) === pool.of('old', param.schema) &&
    other.required === param.required;
  const isOneForOne = left.length === over.length && old.params.length === fresh.params.length;
  const renamed = left.flatMap((param): ParamPair[] => {
    const atSamePlace = fresh.params[positions.old.get(param)!];
    const isFree = atSamePlace !== undefined && !isPaired.has(atSamePlace);
    if (isFree && (isOneForOne || isAlike(param, atSamePlace))) {
      return [{ old: param, new: atSamePlace }];
    }
    if (left.length > 1 || fresh.paramStructure !== 'by-name') return [];
    const alike = over.filter((each) => isAlike(param, each));
    return alike.length === 1 ? [{ old: param, new: alike[0]! }] : [];
  });
  return [...byName, ...renamed];
}

function compareStructure(pair: MethodPair): readonly Change[] {
  const [was, is] = [pair.old.paramStructure, pair.new.paramStructure];
  if (was === is || (pair.old.params.length === 0 && pair.new.params.length === 0)) return [];
  const kind = is === 'either' ? 'param-structure-widened' : 'param-structure-narrowed';
  const words = { 'by-name': 'by name', 'by-position': 'by position', either: 'either way' };
  const what = `takes its parameters ${words[is]} instead of ${words[was]}`;
  return [reportOf(pair, 'paramStructure')(kind, what, was, is)];
}

function isByPosition({ old }: MethodPair): boolean {
  return old.paramStructure !== 'by-name';
}

function compareOrder(
  pair: MethodPair,
  matched: readonly ParamPair[],
  positions: Both<Positions>,
): readonly Change[] {
  const order = matched
    .toSorted((a, b) => positions.old.get(a.old)! - positions.old.get(b.old)!)
    .map((each) => positions.new.get(each.new)!);
  if (order.every((index, at) => at === 0 || index > order[at - 1]!)) return [];
  const names = (params: readonly ParamModel[]) => params.map(({ name }) => name);
  const [before, after] = [names(pair.old.params), names(pair.new.params)];
  const kind = isByPosition(pair) ? 'params-reordered' : 'named-params-reordered';
  const what = `takes its parameters in the order ${after.join(', ')} instead of ${before.join(', ')}`;
  return [reportOf(pair, 'params')(kind, what, before, after)];
}

function addition(
  pair: MethodPair,
  param: ParamModel,
  { at, lastMatched }: { readonly at: number; readonly lastMatched: number },
): Change {
  const places = { old: `${pair.old.pointer}/params`, new: param.pointer };
  const report = (kind: KindId, what: string) =>
    reportParam(pair, param.name, places)(kind, what, undefined, param.name);
  if (at < lastMatched && isByPosition(pair))
    return report('param-inserted', `was added before others, at position ${at + 1}`);
  return param.required
    ? report('param-added-required', 'was added and is required')
    : report('param-added-optional', 'was added and is optional');
}

function compareParam(context: Context, pair: MethodPair, param: ParamPair): readonly Change[] {
  const { old, new: fresh } = param;
  const method = pair.new.name;
  const report = reportParam(pair, fresh.name, { old: old.pointer, new: fresh.pointer });
  const changes: Change[] = [];
  if (old.name !== fresh.name) {
    const kind =
      pair.old.paramStructure === 'by-position' ? 'param-renamed' : 'named-param-renamed';
    changes.push(report(kind, `was renamed from "${old.name}"`, old.name, fresh.name));
  }
  if (old.required !== fresh.required) {
    const [kind, what] = fresh.required
      ? (['param-became-required', 'is now required'] as const)
      : (['param-became-optional', 'is now optional'] as const);
    changes.push(report(kind, what, old.required, fresh.required));
  }
  if (old.deprecated !== fresh.deprecated) {
    const [kind, what] = fresh.deprecated
      ? (['param-deprecated', 'is deprecated'] as const)
      : (['param-no-longer-deprecated', 'is no longer deprecated'] as const);
    changes.push(report(kind, what, old.deprecated, fresh.deprecated));
  }
  const docs = ({ summary, description }: ParamModel) => [summary, description];
  if (!isSame(docs(old), docs(fresh))) {
    const [before, after] = [old, fresh].map((each) => each.summary || each.description);
    changes.push(report('param-docs-changed', 'is documented differently', before, after));
  }
  const annotations = compareSchemas(
    context,
    { old: schemaOf(old), new: schemaOf(fresh) },
    {
      direction: 'request',
      root: `${method}\nparameter "${fresh.name}"`,
      subject: `${method}, parameter "${fresh.name}"`,
      methods: [method],
      isParam: true,
    },
  );
  return [...changes, ...compareParamExtensions(pair, param), ...annotations];
}

function compareParamExtensions(pair: MethodPair, { old, new: fresh }: ParamPair) {
  return compareExtensions(
    [old.extensions, fresh.extensions],
    (keyword) => [old.extensions[keyword], fresh.extensions[keyword]],
    (keyword) => {
      const at = (param: ParamModel) => joinPointer(param.pointer, keyword);
      return reportParam(pair, fresh.name, { old: at(old), new: at(fresh) });
    },
  );
}
