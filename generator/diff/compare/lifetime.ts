import { textAt } from '../../model/member.ts';
import type { MethodModel } from '../../model/model.ts';
import { reportAt, type Change } from '../change.ts';
import type { KindId } from '../kinds/index.ts';
import { reportOf, type Context, type MethodPair } from './context.ts';

type Today = Pick<Context, 'today'>;

/** The stabilities that can be compared, lowest first. */
const STABILITIES = ['experimental', 'beta', 'stable'];

/** The removal of a method; its kind depends on how the removal was announced. */
export function removalOf(method: MethodModel, today: Today): Change {
  const { name, pointer } = method;
  const report = reportAt({ subject: name, old: pointer, new: '/methods', methods: [name] });
  const [kind, what] = describeRemoval(method, today);
  return report(kind, what, name);
}

function describeRemoval(
  method: MethodModel,
  { today }: Today,
): readonly [kind: KindId, what: string] {
  const sunset = sunsetOf(method);
  if (!isDeprecated(method))
    return ['method-removed-without-deprecation', 'was removed without being deprecated first'];
  if (sunset === null)
    return ['method-removed-deprecated', 'was removed; it was deprecated without a date'];
  if (sunset > today)
    return ['method-removed-before-sunset', `was removed before the announced date ${sunset}`];
  return ['method-removed-after-sunset', `was removed, as announced for ${sunset}`];
}

/** Changes of the deprecation, the end date and the stability of a method. */
export function compareLifetime(pair: MethodPair, today: Today): readonly Change[] {
  return [...compareDeprecation(pair), ...compareSunset(pair, today), ...compareStability(pair)];
}

function compareDeprecation(pair: MethodPair): readonly Change[] {
  const [was, is] = [isDeprecated(pair.old), isDeprecated(pair.new)];
  const sunset = sunsetOf(pair.new);
  if (was && !is && (pair.old.deprecated || sunset === null)) {
    const report = reportOf(pair, '');
    return [report('method-no-longer-deprecated', 'is no longer deprecated', true, false)];
  }
  if (!is || !pair.new.deprecated || isMarked(pair.old)) return [];
  const report = reportOf(pair, 'deprecated');
  return sunset === null
    ? [report('method-deprecated-without-sunset', 'is deprecated without an end date', false, true)]
    : [report('method-deprecated', `is deprecated and works until ${sunset}`, false, true)];
}

function compareSunset(pair: MethodPair, { today }: Today): readonly Change[] {
  const [was, is] = [sunsetOf(pair.old), sunsetOf(pair.new)];
  // Without the mark, the date is only a hint: clients recognize a deprecation by the mark.
  const losesMark = is !== null && isMarked(pair.old) && !isMarked(pair.new);
  if (was === is && !losesMark) return [];
  const changes: Change[] = [];
  const add = (kind: KindId, what: string) =>
    changes.push(reportOf(pair, 'x-sunset')(kind, what, was, is));
  if (is === null) {
    if (isDeprecated(pair.new)) add('sunset-removed', `no longer has an end date (${was})`);
    return changes;
  }
  if (is <= today && was !== is)
    add('sunset-in-the-past', `has the end date ${is}, which has passed`);
  if (!pair.new.deprecated)
    add('sunset-without-deprecation', `has the end date ${is} but is not deprecated`);
  if (was !== null && was !== is) {
    const kind = is < was ? 'sunset-moved-earlier' : 'sunset-moved-later';
    add(kind, `works until ${is} instead of ${was}`);
  } else if (was === null && isDeprecated(pair.old)) add('sunset-added', `works until ${is}`);
  return changes;
}

function compareStability(pair: MethodPair): readonly Change[] {
  const stabilityOf = ({ extensions }: MethodModel) => textAt(extensions, 'x-stability');
  const [was, is] = [stabilityOf(pair.old), stabilityOf(pair.new)];
  const [from, to] = [STABILITIES.indexOf(was), STABILITIES.indexOf(is)];
  // "deprecated" is reported as a deprecation.
  if (from === to || to < 0 || from < 0) return [];
  const kind = to < from ? 'stability-lowered' : 'stability-raised';
  const what = `is ${is} instead of ${was}`;
  return [reportOf(pair, 'x-stability')(kind, what, was, is)];
}

function isDeprecated(method: MethodModel): boolean {
  return isMarked(method) || method.extensions['x-sunset'] !== undefined;
}

/** Returns whether a method is marked as deprecated, whether or not it has an end date. */
function isMarked({ deprecated, extensions }: MethodModel): boolean {
  return deprecated || extensions['x-stability'] === 'deprecated';
}

/** Returns the date of `x-sunset` without the time, or null. */
function sunsetOf({ extensions }: MethodModel): string | null {
  return /^\d{4}-\d{2}-\d{2}/.exec(textAt(extensions, 'x-sunset'))?.[0] ?? null;
}
