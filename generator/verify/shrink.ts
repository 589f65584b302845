import { printExact } from '../../common/json/exact.ts';
import { isObject, type Json } from '../../common/json/value.ts';
import { callProbe, type Probe } from './message.ts';
import type { Failure, Session } from './session.ts';

/** Maximum number of calls to make one failure smaller. */
const MAX_CALLS = 40;

/** Maximum number of characters of the smaller params that are tried: there is one for each part of the params. */
const MAX_CHARACTERS = 500_000;

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
  const sizes: { params: Json; size: number }[] = [];
  let characters = 0;
  for (const params of smallerValues(outcome.params)) {
    const size = printExact(params).length;
    sizes.push({ params, size });
    characters += size;
    if (characters > MAX_CHARACTERS) break;
  }
  return sizes
    .toSorted((a, b) => a.size - b.size)
    .map(({ params }) => callProbe(method, params, { title, pointer, id: session.nextId() }))
    .filter((probe) => probe.expects.responses[0]!.outcome.kind === outcome.kind);
}

/** Yields values with a part left out; of long arrays, halves come first, because there may be many parts. */
function* smallerValues(value: Json): Generator<Json> {
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    if (list.length > 4) yield list.slice(0, list.length / 2);
    for (const index of list.keys()) yield list.toSpliced(index, 1);
    for (const [index, each] of list.entries()) {
      for (const small of smallerValues(each)) yield list.with(index, small);
    }
  } else if (isObject(value)) {
    for (const [key, each] of Object.entries(value)) {
      const { [key]: _, ...others } = value;
      yield others;
      for (const small of smallerValues(each)) yield { ...value, [key]: small };
    }
  } else if (typeof value === 'string' && value.length > 40) yield value.slice(0, 20);
}
