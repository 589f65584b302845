import { isObject, type Json } from '../../../common/json/value.ts';
import { shown, type Change } from '../change.ts';
import { reportOf, type Finding, type MethodPair } from './context.ts';
import { stringsAt } from '../../model/member.ts';
import { isSame } from '../../containment/canonical.ts';

type Values = readonly [before: Json | undefined, after: Json | undefined];

/** Changes of the extensions of a method: price, forwarding, transports and others. */
export function compareMethodContract(pair: MethodPair): readonly Change[] {
  const [old, fresh] = [pair.old.extensions, pair.new.extensions];
  const keys = [...new Set([...Object.keys(old), ...Object.keys(fresh)])];
  return keys.flatMap((key): readonly Change[] => {
    const [before, after] = [old[key], fresh[key]];
    if (isSame(before, after) || ELSEWHERE.has(key)) return [];
    const what = `has ${key} ${shown(after)} instead of ${shown(before)}`;
    const findings = comparisons[key]?.([before, after]) ?? [['method-extension-changed', what]];
    const report = reportOf(pair, key);
    return findings.map(([kind, what]) => report(kind, what, before, after));
  });
}

/** Extensions that `compareLifetime` compares. */
const ELSEWHERE = new Set(['x-sunset', 'x-stability']);

const comparisons: Readonly<Record<string, (values: Values) => readonly Finding[]>> = {
  'x-credits': (values) => {
    const [was, is] = values.map(creditsIn) as [number, number];
    if (was === is) return [];
    const kind = is > was ? 'credits-raised' : 'credits-lowered';
    return [[kind, `costs ${is} credits instead of ${was}`]];
  },
  'x-forwarding': (values) => {
    const [was, is] = values.map((value) => isObject(value) && value['partner'] === true);
    if (was === is) return [];
    return is
      ? [['forwarding-offered', 'may be forwarded to a partner']]
      : [['forwarding-withdrawn', 'is no longer forwarded to a partner']];
  },
  'x-transports': (values) => {
    const [was, is] = values.map(transportsIn) as [readonly string[], readonly string[]];
    // An omitted x-transports promises nothing.
    if (values.includes(undefined)) return [];
    const removed = was.filter((each) => !is.includes(each));
    const added = is.filter((each) => !was.includes(each));
    if (removed.length + added.length === 0)
      return [['method-docs-changed', 'documents different transports']];
    return [
      ...removed.map(
        (each) => ['transport-withdrawn', `is no longer served over ${each}`] as const,
      ),
      ...added.map((each) => ['transport-added', `is also served over ${each}`] as const),
    ];
  },
  'x-network-family': ([before, after]) => {
    const what = `is served by ${shown(after)} instead of ${shown(before)}`;
    return before === undefined ? [] : [['network-family-changed', what]];
  },
  'x-immutable': ([before, after]) => {
    const what = `has x-immutable ${shown(after)} instead of ${shown(before)}`;
    const isPromise = before === undefined || after === true;
    return [[isPromise ? 'immutability-promised' : 'immutability-withdrawn', what]];
  },
  'x-not-found': ([before, after]) => {
    const what = `returns ${shown(after)} instead of ${shown(before)} for an item that is not found`;
    return [['not-found-changed', what]];
  },
};

function creditsIn(value: Json | undefined): number {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : 0;
}

function transportsIn(value: Json | undefined): readonly string[] {
  return isObject(value) ? stringsAt(value, 'supported') : [];
}
