import { printExact } from '../../common/json/exact.ts';
import { isObject, type Json, type JsonObject } from '../../common/json/value.ts';
import { callProbe, type Probe } from './message.ts';
import type { Failure, Session } from './session.ts';

/** Maximum number of calls to make one failure smaller. */
const MAX_CALLS = 40;

/** Shorter calls are not made smaller. */
const MIN_CHARACTERS = 100;

/**
 * Returns the failure of the smallest call found that fails in the same way. Examples stay as they
 * are, because the document promises only their responses.
 */
export async function shrink(session: Session, failure: Failure): Promise<Failure> {
  let smallest = failure;
  let calls = 0;
  for (let candidates = smallerThan(session, smallest.probe); ;) {
    const probe = candidates.shift();
    if (probe === undefined || calls === MAX_CALLS || session.callsLeft < 1) return smallest;
    calls += 1;
    const { failures } = await session.ask(probe, failure.answer.transport);
    const same = failures.find(({ check }) => check === failure.check);
    if (same === undefined) continue;
    smallest = { ...same, phase: failure.phase };
    candidates = smallerThan(session, probe);
  }
}

/** Returns calls with a part of the params left out, the largest parts first. */
function smallerThan(session: Session, { expects, method, title, pointer, body }: Probe): Probe[] {
  const [response] = expects.responses;
  const outcome = response?.outcome;
  const isCall = outcome?.kind === 'valid' || outcome?.kind === 'invalid';
  if (method === null || expects.isBatch || !isCall || body.length < MIN_CHARACTERS) return [];
  if (outcome.kind === 'valid' && outcome.example !== undefined) return [];
  const sizes = smallerValues(outcome.params).map((params) => ({
    params,
    size: printExact(params).length,
  }));
  return sizes
    .toSorted((a, b) => a.size - b.size)
    .map(({ params }) => callProbe(method, params, { title, pointer, id: session.nextId() }))
    .filter((probe) => probe.expects.responses[0]!.outcome.kind === outcome.kind);
}

function smallerValues(value: Json): readonly Json[] {
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    return [
      ...list.map((_, index) => list.filter((_, each) => each !== index)),
      ...(list.length > 4 ? [list.slice(0, list.length / 2)] : []),
      ...list.flatMap((each, index) => smallerValues(each).map((small) => list.with(index, small))),
    ];
  }
  if (isObject(value)) {
    return Object.entries(value).flatMap(([key, each]): readonly JsonObject[] => {
      const { [key]: _, ...others } = value;
      return [others, ...smallerValues(each).map((small) => ({ ...value, [key]: small }))];
    });
  }
  return typeof value === 'string' && value.length > 40 ? [value.slice(0, 20)] : [];
}
