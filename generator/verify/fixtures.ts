import { isObject, type Json } from '../../common/json/value.ts';
import { findDifference } from './difference.ts';
import { parseText, type Probe } from './message.ts';
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
 * (`//`), of which one that starts with "speconly" says that values may differ.
 */
export function readFixtures(name: string, text: string): readonly Fixture[] {
  const lines = text.split(/\r?\n/);
  const isSpecOnly = lines.some((line) => /^\/\/\s*speconly/.test(line));
  const fixtures: Fixture[] = [];
  let request: string | undefined;
  for (const line of lines) {
    const body = line.slice(2).trim();
    if (line.startsWith('>>')) request = body;
    if (!line.startsWith('<<') || request === undefined) continue;
    fixtures.push({ name: `${name} ${fixtures.length + 1}`, request, response: body, isSpecOnly });
    request = undefined;
  }
  return fixtures;
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
          const { phase } = session;
          session.report({ check: 'fixture-answer', message, phase, probe, answer });
        }
      }
    },
  };
}

function toProbe({ contract }: Session, { name, request }: Fixture): Probe {
  const call = parseText(request);
  const { id = null, method: called } = isObject(call) ? call : {};
  const method = contract.methods.find((each) => each.name === called) ?? null;
  const outcome = { kind: 'recorded' } as const;
  return {
    title: `fixture ${name}`,
    method,
    pointer: method?.pointer ?? '',
    body: request,
    expects: { isBatch: false, responses: [{ id: JSON.stringify(id), outcome }] },
  };
}

/** Of an error, only its code is compared: nodes word messages as they like. */
function differenceOf({ response, isSpecOnly }: Fixture, got: Readonly<Record<string, Json>>) {
  const wanted = parseText(response);
  if (!isObject(wanted)) return 'the recorded response is not a JSON object';
  const member = 'error' in wanted ? 'error' : 'result';
  if (!(member in got)) return `expected ${member === 'error' ? 'an error' : 'a result'}`;
  if (isSpecOnly) return undefined;
  if (member === 'result') return findDifference(wanted, got, 'result');
  const [a, b] = [wanted['error'], got['error']];
  return isObject(a) && isObject(b) ? findDifference(a, b, 'code') : undefined;
}
