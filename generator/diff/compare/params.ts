import type { ParamModel } from '../../model/model.ts';
import type { Change } from '../change.ts';
import { compareAnnotations } from '../schema/annotations.ts';
import { ofMethod, type Context, type MethodPair } from './context.ts';
import { isSame } from './equal.ts';

/** A parameter in both documents, and its positions. */
interface ParamPair {
  readonly old: ParamModel;
  readonly new: ParamModel;
}

/** Changes of a method's parameters. */
export function compareParams(context: Context, pair: MethodPair): readonly Change[] {
  const { old, new: fresh } = pair;
  const matched = matchParams(context, pair);
  const isMatched = (param: ParamModel) =>
    matched.some((each) => each.old === param || each.new === param);
  const removed = old.params.filter((param) => !isMatched(param));
  const added = fresh.params.filter((param) => !isMatched(param));
  for (const each of matched) {
    context.schemas.compare(
      {
        old: { side: 'old', schema: each.old.schema, pointer: `${each.old.pointer}/schema` },
        new: { side: 'new', schema: each.new.schema, pointer: `${each.new.pointer}/schema` },
      },
      'request',
      `${fresh.name}\nparameter "${each.new.name}"`,
    );
  }
  return [
    ...compareStructure(pair),
    ...compareOrder(pair, matched),
    ...removed.map((param) => removal(pair, param)),
    ...added.map((param) => addition(pair, param, matched)),
    ...matched.flatMap((each) => compareParam(context, pair, each)),
  ];
}

/** Parameters of one name; then, where the names differ, those that stand in the same place. */
function matchParams(
  { containments: { pool } }: Context,
  { old, new: fresh }: MethodPair,
): readonly ParamPair[] {
  const byName = old.params.flatMap((param): ParamPair[] => {
    const same = fresh.params.find(({ name }) => name === param.name);
    return same === undefined ? [] : [{ old: param, new: same }];
  });
  const left = old.params.filter((param) => !byName.some((each) => each.old === param));
  const over = fresh.params.filter((param) => !byName.some((each) => each.new === param));
  const renamed = left.flatMap((param): ParamPair[] => {
    const sameSchema = over.filter(
      (each) =>
        pool.of('new', each.schema) === pool.of('old', param.schema) &&
        each.required === param.required,
    );
    const atSamePlace = over.find(
      (each) => fresh.params.indexOf(each) === old.params.indexOf(param),
    );
    const isOneForOne = left.length === over.length && old.params.length === fresh.params.length;
    if (atSamePlace !== undefined && (sameSchema.includes(atSamePlace) || isOneForOne)) {
      return [{ old: param, new: atSamePlace }];
    }
    const isAlone =
      sameSchema.length === 1 && left.length === 1 && fresh.paramStructure === 'by-name';
    return isAlone ? [{ old: param, new: sameSchema[0]! }] : [];
  });
  return [...byName, ...renamed];
}

function compareStructure(pair: MethodPair): readonly Change[] {
  const [was, is] = [pair.old.paramStructure, pair.new.paramStructure];
  if (was === is || (pair.old.params.length === 0 && pair.new.params.length === 0)) return [];
  const kind = is === 'either' ? 'param-structure-widened' : 'param-structure-narrowed';
  const words = { 'by-name': 'by name', 'by-position': 'by position', either: 'either way' };
  const what = `takes its parameters ${words[is]} instead of ${words[was]}`;
  return [ofMethod(pair, 'paramStructure', { kind, what, before: was, after: is })];
}

/** Returns whether arguments are matched by position. */
function isByPosition({ old }: MethodPair): boolean {
  return old.paramStructure !== 'by-name';
}

function isByName({ old }: MethodPair): boolean {
  return old.paramStructure !== 'by-position';
}

function compareOrder(pair: MethodPair, matched: readonly ParamPair[]): readonly Change[] {
  const order = matched
    .toSorted((a, b) => pair.old.params.indexOf(a.old) - pair.old.params.indexOf(b.old))
    .map((each) => pair.new.params.indexOf(each.new));
  if (order.every((index, at) => at === 0 || index > order[at - 1]!)) return [];
  const names = (params: readonly ParamModel[]) => params.map(({ name }) => name);
  const [before, after] = [names(pair.old.params), names(pair.new.params)];
  const kind = isByPosition(pair) ? 'params-reordered' : 'named-params-reordered';
  const what = `takes its parameters in the order ${after.join(', ')} instead of ${before.join(', ')}`;
  return [ofMethod(pair, 'params', { kind, what, before, after })];
}

function subjectOf({ new: fresh }: MethodPair, { name }: ParamModel): string {
  return `${fresh.name}, parameter "${name}"`;
}

function removal(pair: MethodPair, param: ParamModel): Change {
  return {
    kind: 'param-removed',
    subject: subjectOf(pair, param),
    what: 'is gone',
    old: param.pointer,
    new: `${pair.new.pointer}/params`,
    before: param.name,
    methods: [pair.new.name],
  };
}

function addition(pair: MethodPair, param: ParamModel, matched: readonly ParamPair[]): Change {
  const at = pair.new.params.indexOf(param);
  const isBefore = matched.some((each) => pair.new.params.indexOf(each.new) > at);
  const common = {
    subject: subjectOf(pair, param),
    old: `${pair.old.pointer}/params`,
    new: param.pointer,
    after: param.name,
    methods: [pair.new.name],
  };
  if (isBefore && isByPosition(pair)) {
    return {
      ...common,
      kind: 'param-inserted',
      what: `was added before others, at position ${at + 1}`,
    };
  }
  return param.required
    ? { ...common, kind: 'param-added-required', what: 'was added, and has to be given' }
    : { ...common, kind: 'param-added-optional', what: 'was added, and may be left out' };
}

function compareParam(context: Context, pair: MethodPair, each: ParamPair): readonly Change[] {
  const { old, new: fresh } = each;
  const toChange = (
    kind: string,
    what: string,
    values: Pick<Change, 'before' | 'after'>,
  ): Change => ({
    kind,
    what,
    ...values,
    subject: subjectOf(pair, fresh),
    old: old.pointer,
    new: fresh.pointer,
    methods: [pair.new.name],
  });
  const changes: Change[] = [];
  if (old.name !== fresh.name) {
    const kind = isByName(pair) ? 'named-param-renamed' : 'param-renamed';
    const values = { before: old.name, after: fresh.name };
    changes.push(toChange(kind, `was called "${old.name}"`, values));
  }
  if (old.required !== fresh.required) {
    const values = { before: old.required, after: fresh.required };
    changes.push(
      fresh.required
        ? toChange('param-became-required', 'has to be given now', values)
        : toChange('param-became-optional', 'may be left out now', values),
    );
  }
  if (old.deprecated !== fresh.deprecated) {
    const values = { before: old.deprecated, after: fresh.deprecated };
    changes.push(
      fresh.deprecated
        ? toChange('param-deprecated', 'is deprecated', values)
        : toChange('param-no-longer-deprecated', 'is no longer deprecated', values),
    );
  }
  const docs = (param: ParamModel) => [param.summary, param.description, param.extensions];
  if (!isSame(docs(old), docs(fresh))) {
    const values = {
      before: old.summary || old.description,
      after: fresh.summary || fresh.description,
    };
    changes.push(toChange('param-docs-changed', 'is described otherwise', values));
  }
  return [
    ...changes,
    ...compareAnnotations(context, {
      old: { schema: old.schema, pointer: `${old.pointer}/schema` },
      new: { schema: fresh.schema, pointer: `${fresh.pointer}/schema` },
      subject: subjectOf(pair, fresh),
      methods: [pair.new.name],
      isParam: true,
    }),
  ];
}
