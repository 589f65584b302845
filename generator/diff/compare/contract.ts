import { isObject, type Json, type JsonObject } from '../../../common/json/value.ts';
import { shown, type Change } from '../change.ts';
import { ofMethod, type MethodPair } from './context.ts';
import { isSame } from './equal.ts';

/** Changes of what a call costs and where it goes: the extensions of a method. */
export function compareMethodContract(pair: MethodPair): readonly Change[] {
  const [old, fresh] = [pair.old.extensions, pair.new.extensions];
  const keys = [...new Set([...Object.keys(old), ...Object.keys(fresh)])];
  return keys.flatMap((key): readonly Change[] => {
    const [before, after] = [old[key], fresh[key]];
    if (isSame(before, after) || ELSEWHERE.has(key)) return [];
    const toChange: ToChange = (kind, what) => ofMethod(pair, key, { kind, what, before, after });
    const compare = COMPARISONS[key];
    if (compare !== undefined) return compare(before, after, toChange);
    const what = `has ${key} ${shown(after)} instead of ${shown(before)}`;
    return [toChange('method-extension-changed', what)];
  });
}

/** Extensions that say how long a method will be there. */
const ELSEWHERE = new Set(['x-sunset', 'x-stability']);

type ToChange = (kind: string, what: string) => Change;
type Compare = (
  before: Json | undefined,
  after: Json | undefined,
  toChange: ToChange,
) => readonly Change[];

const COMPARISONS: Readonly<Record<string, Compare>> = {
  'x-credits': (before, after, toChange) => {
    const [was, is] = [Number(before ?? 0), Number(after ?? 0)];
    if (was === is) return [];
    const kind = is > was ? 'credits-raised' : 'credits-lowered';
    return [toChange(kind, `costs ${is} credits instead of ${was}`)];
  },
  'x-forwarding': (before, after, toChange) => {
    const [was, is] = [isPartner(before), isPartner(after)];
    if (was === is) return [];
    return is
      ? [toChange('forwarding-offered', 'may be forwarded to a partner')]
      : [toChange('forwarding-withdrawn', 'is no longer forwarded to a partner')];
  },
  'x-transports': (before, after, toChange) => {
    const [was, is] = [supported(before), supported(after)];
    // Where nothing was said, nothing was promised.
    if (before === undefined || after === undefined) return [];
    const gone = was.filter((each) => !is.includes(each));
    const added = is.filter((each) => !was.includes(each));
    return [
      ...gone.map((each) => toChange('transport-withdrawn', `is no longer served over ${each}`)),
      ...added.map((each) => toChange('transport-added', `is served over ${each} too`)),
      ...(gone.length + added.length === 0
        ? [toChange('method-docs-changed', 'documents other transports')]
        : []),
    ];
  },
  'x-network-family': (before, after, toChange) =>
    before === undefined
      ? []
      : [
          toChange(
            'network-family-changed',
            `is served by ${shown(after)} instead of ${shown(before)}`,
          ),
        ],
  'x-not-found': (before, after, toChange) => {
    const count = (value: Json | undefined) => (Array.isArray(value) ? value.length : 0);
    const what = `answers other errors of nodes as null (${count(after)} rules instead of ${count(before)})`;
    return [toChange('not-found-changed', what)];
  },
};

function isPartner(value: Json | undefined): boolean {
  return isObject(value) && value['partner'] === true;
}

function supported(value: Json | undefined): readonly string[] {
  const list = isObject(value) ? (value as JsonObject)['supported'] : undefined;
  return Array.isArray(list) ? (list as readonly string[]) : [];
}
