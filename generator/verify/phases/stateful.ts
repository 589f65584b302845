import { memberOf, valueAt } from '../../../common/json/pointer.ts';
import type { Json, JsonObject } from '../../../common/json/value.ts';
import { isObject } from '../../../common/json/value.ts';
import { isSame } from '../../containment/canonical.ts';
import { positionalParams, type MethodLink, type VerifiedMethod } from '../contract.ts';
import { callProbe } from '../message.ts';
import type { Phase } from '../phase.ts';
import type { LearnedValue } from '../seeds.ts';
import type { Seen, Session } from '../session.ts';
import { withoutOmitted } from '../examples.ts';
import { baseParams, withParam } from '../params.ts';

/** Number of calls with the same params if the result is final. */
const FINAL_CALLS = 3;

/** Maximum number of learned values that are tried for a parameter. */
const MAX_VALUES = 3;

/**
 * Calls methods with values from earlier results, found by links and by shared component schemas, and
 * with and without the default values of parameters.
 */
export const stateful: Phase = {
  id: 'stateful',
  title: 'values from results as params of other calls; default values, given and omitted',
  async run(session) {
    for (const method of session.contract.methods) {
      const base = baseParams(method, session.seeds);
      if (base === undefined) continue;
      if (method.links.length > 0) await followLinks(session, method, base);
      await applyDefaults(session, method, base);
      for (const [index, { schema, name }] of method.params.entries()) {
        const component = session.contract.resolve(schema).name;
        const learned = component === null ? [] : session.seeds.of(component);
        const shown = method.examples.map((each) => positionalParams(method, each.params)[index]);
        for (const { value, name: from, method: source } of closest(learned, { name, shown })) {
          const params = withParam(session.seeds, method, { base, index, value });
          const title = `${name} from ${from} of ${source}`;
          await callRepeatedly(session, method, params, title);
        }
      }
    }
  },
};

/** Calls once, or several times if the result is final, since a wrong result may be rare. */
async function callRepeatedly(
  session: Session,
  method: VerifiedMethod,
  params: Json,
  title: string,
): Promise<void> {
  const count = method.immutable === null ? 1 : FINAL_CALLS;
  for (let call = 0; call < count; call += 1) {
    await session.checkOnAll(callOf(session, method, params, title));
  }
}

function callOf(session: Session, method: VerifiedMethod, params: Json, title: string) {
  return callProbe(method, params, { title, id: session.nextId() });
}

interface Place {
  /** Name of a parameter. */
  readonly name: string;
  /** Its values in examples, which other phases send. */
  readonly shown: readonly (Json | undefined)[];
}

/**
 * Returns up to `MAX_VALUES` different values for a parameter: first those of the seeds file, then those
 * of members with a similar name, then others. In the last two groups, values that no example shows come
 * first.
 */
function closest(
  learned: readonly LearnedValue[],
  { name, shown }: Place,
): readonly LearnedValue[] {
  const rank = (each: LearnedValue): number => {
    if (each.name === '') return 0;
    const isLike = name.toLowerCase().endsWith(each.name.toLowerCase());
    const isShown = shown.some((value) => isSame(value, each.value));
    return (isLike ? 1 : 3) + (isShown ? 1 : 0);
  };
  const ranked = learned.toSorted((a, b) => rank(a) - rank(b));
  return ranked
    .filter(({ value }, index) => ranked.findIndex((each) => isSame(each.value, value)) === index)
    .slice(0, MAX_VALUES);
}

async function followLinks(session: Session, method: VerifiedMethod, base: Json): Promise<void> {
  const [transport] = session.transports;
  if (transport === undefined) return;
  const from = await session.check(
    callOf(session, method, base, 'the call whose result the links use'),
    transport,
  );
  const result = from.response?.['result'];
  if (result === undefined || result === null) return;
  const named: JsonObject = Array.isArray(base)
    ? Object.fromEntries(method.params.map(({ name }, index) => [name, base[index] ?? null]))
    : (base as JsonObject);
  for (const link of method.links) {
    const target = session.contract.methods.find(({ name }) => name === link.method);
    const params = target && paramsOf(target, link, { result, params: named });
    if (target === undefined || params === undefined) continue;
    const says = { title: `link "${link.name}"`, pointer: link.pointer, id: session.nextId() };
    const probe = callProbe(target, params, says);
    for (const seen of await session.checkOnAll(probe)) reportMissing(session, probe, seen);
  }
}

function reportMissing(session: Session, probe: ReturnType<typeof callProbe>, seen: Seen): void {
  const { answer, response, failures } = seen;
  if (failures.length > 0 || (response?.['result'] ?? null) !== null) return;
  const got = response !== undefined && 'error' in response ? 'an error' : 'null';
  const message = `expected a result, since the params come from an earlier result, got ${got}`;
  session.report({ check: 'link-found', message, probe, answer });
}

/** Returns the params of a linked call; undefined if the result lacks a value. */
function paramsOf(target: VerifiedMethod, link: MethodLink, values: JsonObject): Json | undefined {
  const given = Object.entries(link.params).map(([name, value]) => [name, evaluate(value, values)]);
  if (given.some(([, value]) => value === undefined || value === null)) return undefined;
  const named = Object.fromEntries(given) as JsonObject;
  if (target.paramStructure === 'by-name') return named;
  return withoutOmitted(target.params.map(({ name }) => memberOf(named, name)));
}

const EXPRESSION = /^\$\{([\w.-]+)\}$/;

/** Evaluates a runtime expression of OpenRPC, such as `${result.hash}`; returns other values unchanged. */
function evaluate(value: Json, values: JsonObject): Json | undefined {
  const path = typeof value === 'string' ? EXPRESSION.exec(value)?.[1] : undefined;
  return path === undefined ? value : valueAt(values, `/${path.replaceAll('.', '/')}`);
}

/**
 * Calls a method without each param that has a default, and with that default: the results must be equal.
 */
async function applyDefaults(session: Session, method: VerifiedMethod, base: Json): Promise<void> {
  for (const [index, { schema, required }] of method.params.entries()) {
    const resolved = session.contract.resolve(schema).schema;
    const value = isObject(resolved) ? resolved['default'] : undefined;
    if (required || value === undefined || !Array.isArray(base)) continue;
    const omitted = callOf(session, method, base.slice(0, index), 'without an optional param');
    const params = withParam(session.seeds, method, { base: base.slice(0, index), index, value });
    const given = callOf(session, method, params, 'with the default of a param');
    for (const transport of session.transports) {
      // A new block may arrive between the two calls, so only a difference that shows twice is reported.
      if (await isEqual(session, [omitted, given], transport)) continue;
      if (await isEqual(session, [omitted, given], transport)) continue;
      const { answer } = await session.ask(omitted, transport);
      const message = `expected the same response as with the default ${JSON.stringify(value)}`;
      session.report({ check: 'default-applied', message, probe: omitted, answer });
    }
  }
}

async function isEqual(
  session: Session,
  probes: readonly ReturnType<typeof callProbe>[],
  transport: 'http' | 'websocket',
): Promise<boolean> {
  const [a, b] = [
    await session.check(probes[0]!, transport),
    await session.check(probes[1]!, transport),
  ].map(({ response }) => response?.['result']);
  return isSame(a, b);
}
