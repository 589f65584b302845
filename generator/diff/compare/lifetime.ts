import type { MethodModel } from '../../model/model.ts';
import type { Change } from '../change.ts';
import { ofMethod, type MethodPair } from './context.ts';

interface Day {
  /** YYYY-MM-DD */
  readonly today: string;
}

/** How far a method may change without a new major version, the firmest last. */
const STABILITIES = ['experimental', 'beta', 'stable'];

/** The removal of a method, by what was said of its end. */
export function removalOf(method: MethodModel, { today }: Day): Change {
  const sunset = sunsetOf(method);
  const common = {
    subject: method.name,
    old: method.pointer,
    new: '/methods',
    before: method.name,
    methods: [method.name],
  };
  if (!isDeprecated(method)) {
    return {
      ...common,
      kind: 'method-removed-without-deprecation',
      what: 'is gone, and was never deprecated',
    };
  }
  if (sunset === null) {
    return {
      ...common,
      kind: 'method-removed-deprecated',
      what: 'is gone; it was deprecated without a date',
    };
  }
  if (sunset > today) {
    return {
      ...common,
      kind: 'method-removed-before-sunset',
      what: `is gone, and was promised until ${sunset}`,
    };
  }
  return {
    ...common,
    kind: 'method-removed-after-sunset',
    what: `is gone, as was announced for ${sunset}`,
  };
}

/** What changed of how long a method will be there, and of how firm it is. */
export function compareLifetime(pair: MethodPair, { today }: Day): readonly Change[] {
  return [...compareDeprecation(pair), ...compareSunset(pair, today), ...compareStability(pair)];
}

function compareDeprecation(pair: MethodPair): readonly Change[] {
  const [was, is] = [isDeprecated(pair.old), isDeprecated(pair.new)];
  if (was && !is && (pair.old.deprecated || sunsetOf(pair.new) === null)) {
    const change = { kind: 'method-no-longer-deprecated', what: 'is no longer deprecated' };
    return [ofMethod(pair, '', { ...change, before: true, after: false })];
  }
  if (was || !is || !pair.new.deprecated) return [];
  const sunset = sunsetOf(pair.new);
  const what =
    sunset === null
      ? 'is deprecated, until when is not said'
      : `is deprecated, and works until ${sunset}`;
  const kind = sunset === null ? 'method-deprecated-without-sunset' : 'method-deprecated';
  return [ofMethod(pair, 'deprecated', { kind, what, before: false, after: true })];
}

function compareSunset(pair: MethodPair, today: string): readonly Change[] {
  const [was, is] = [sunsetOf(pair.old), sunsetOf(pair.new)];
  if (was === is) return [];
  const toChange = (kind: string, what: string) =>
    ofMethod(pair, 'x-sunset', { kind, what, before: was, after: is });
  const changes: Change[] = [];
  if (is === null) {
    if (isDeprecated(pair.new))
      changes.push(toChange('sunset-removed', `no longer says until when it works (${was})`));
    return changes;
  }
  if (is <= today)
    changes.push(toChange('sunset-in-the-past', `is to go on ${is}, which has passed`));
  if (!pair.new.deprecated)
    changes.push(
      toChange('sunset-without-deprecation', `is to go on ${is}, and is not deprecated`),
    );
  if (was !== null) {
    const isEarlier = is < was;
    const kind = isEarlier ? 'sunset-moved-earlier' : 'sunset-moved-later';
    changes.push(toChange(kind, `works until ${is} instead of ${was}`));
  } else if (isDeprecated(pair.old)) {
    changes.push(toChange('sunset-added', `works until ${is}`));
  }
  return changes;
}

function compareStability(pair: MethodPair): readonly Change[] {
  const [was, is] = [pair.old, pair.new].map(({ extensions }) => extensions['x-stability']);
  const [from, to] = [rank(was), rank(is)];
  // "deprecated" is reported as a deprecation.
  if (from === to || was === undefined || to < 0 || from < 0) return [];
  const kind = to < from ? 'stability-lowered' : 'stability-raised';
  return [
    ofMethod(pair, 'x-stability', {
      kind,
      what: `is ${String(is)} instead of ${String(was)}`,
      before: was,
      after: is,
    }),
  ];
}

function rank(stability: unknown): number {
  return STABILITIES.indexOf(String(stability));
}

function isDeprecated({ deprecated, extensions }: MethodModel): boolean {
  return (
    deprecated || extensions['x-stability'] === 'deprecated' || extensions['x-sunset'] !== undefined
  );
}

/** Returns the date of `x-sunset` without the time, or null. */
function sunsetOf({ extensions }: MethodModel): string | null {
  const sunset = extensions['x-sunset'];
  return typeof sunset === 'string' && /^\d{4}-\d{2}-\d{2}/.test(sunset)
    ? sunset.slice(0, 10)
    : null;
}
