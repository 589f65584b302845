import { isObject, type JsonObject } from '../../common/json/value.ts';
import type { VerifiedMethod } from './contract.ts';
import { findDifference, shorten } from './difference.ts';
import { messageProbe, parseText, type Outcome, type Probe } from './message.ts';
import type { Phase } from './phase.ts';
import type { Session } from './session.ts';

/** A recorded request and its response, as in the tests of ethereum/execution-apis. */
export interface Fixture {
  /** File and number of the exchange: "eth_getBlockByNumber/get-latest.io 1". */
  readonly name: string;
  readonly request: string;
  readonly response: string;
  /** Whether only the shape of the response is promised (`// speconly`). */
  readonly isSpecOnly: boolean;
}

/**
 * Reads a file of the `.io` format: `>>` lines with requests, `<<` lines with responses, and comments
 * (`//`). A comment that starts with "speconly" means that values may differ. Returns a message about what
 * is wrong if the file has another form.
 */
export function readFixtures(name: string, text: string): readonly Fixture[] | string {
  const lines = text.split('\n').map((line) => line.trim());
  const isSpecOnly = lines.some((line) => /^\/\/\s*speconly/.test(line));
  const fixtures: Fixture[] = [];
  let request: string | undefined;
  for (const [index, line] of lines.entries()) {
    if (line === '' || line.startsWith('//')) continue;
    const wanted = request === undefined ? '>>' : '<<';
    const body = line.slice(2).trim();
    if (!line.startsWith(wanted)) {
      const what = request === undefined ? 'a request' : 'the response to the previous request';
      return `${name}:${index + 1}: expected ${what} ("${wanted}") or a comment ("//"), got ${shorten(line)}`;
    }
    if (request === undefined) {
      request = body;
      continue;
    }
    if (!isObject(parseText(body))) {
      return `${name}:${index + 1}: expected a response object in JSON, got ${shorten(body)}`;
    }
    fixtures.push({ name: `${name} ${fixtures.length + 1}`, request, response: body, isSpecOnly });
    request = undefined;
  }
  return request === undefined ? fixtures : `${name}: the last request has no response ("<<")`;
}

/** Returns the phase that sends recorded requests and compares the responses. */
export function fixturePhase(fixtures: readonly Fixture[]): Phase {
  return {
    id: 'fixtures',
    title: 'recorded requests and responses (--fixtures)',
    async run(session) {
      for (const fixture of fixtures) {
        for (const transport of session.transports) {
          const probe = toProbe(session, fixture);
          const { answer, response, failures } = await session.check(probe, transport);
          const message = response === undefined ? undefined : differenceOf(fixture, response);
          if (message === undefined || failures.length > 0) continue;
          session.report({ check: 'fixture-response', message, probe, answer });
        }
      }
    },
  };
}

function toProbe({ contract }: Session, fixture: Fixture): Probe {
  const { name, request } = fixture;
  const call = parseText(request);
  const { id = null, method: called } = isObject(call) ? call : {};
  const method = contract.methods.find((each) => each.name === called) ?? null;
  const outcome = outcomeOfFixture(fixture, method);
  const probe = messageProbe(`fixture ${name}`, request, [{ id: JSON.stringify(id), outcome }]);
  return { ...probe, method, pointer: method?.pointer ?? '' };
}

/**
 * Returns the expected outcome. A result of which only the shape is promised is checked against the
 * schema of the method.
 */
function outcomeOfFixture(
  { request, response, isSpecOnly }: Fixture,
  method: VerifiedMethod | null,
): Outcome {
  const call = parseText(request);
  const { params = [] } = isObject(call) ? call : {};
  const isResult = 'result' in (parseText(response) as JsonObject);
  const isChecked = isSpecOnly && isResult && method?.refuses(params) === undefined;
  return method !== null && isChecked ? { kind: 'valid', method, params } : { kind: 'recorded' };
}

/**
 * Describes how a response differs. Only the code of an error is compared: nodes word messages
 * differently.
 */
function differenceOf({ response, isSpecOnly }: Fixture, got: JsonObject): string | undefined {
  const wanted = parseText(response) as JsonObject;
  const member = 'error' in wanted ? 'error' : 'result';
  if (!(member in got)) return `expected ${member === 'error' ? 'an error' : 'a result'}`;
  if (isSpecOnly) return undefined;
  if (member === 'result') return findDifference(wanted, got, 'result');
  const [a, b] = [wanted['error'], got['error']];
  return isObject(a) && isObject(b) ? findDifference(a, b, 'code') : undefined;
}
