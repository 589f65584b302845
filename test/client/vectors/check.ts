/** Compares the outcome of a vector with its expectations. */
import { expect } from 'vitest';
import type { ExpectedCall, PlacedVector, SentCall } from './format.ts';
import type { Ended, RunResult } from './run.ts';

/** Returns the class name of an error. */
export type ClassOf = (error: unknown) => string;

/** Fails the test if the run differs from the vector's expectations. */
export function checkRun(vector: PlacedVector, run: RunResult, classOf: ClassOf): void {
  const { expect: wanted } = vector;
  for (const [index, ended] of run.ended.entries()) {
    checkCall(ended, { wanted: wanted.calls[index]!, classOf, about: `call ${index}` });
  }
  if (wanted.order !== undefined) expect(run.order).toEqual(wanted.order);
  const { requests, connections, maxConcurrent } = run.seen;
  if (wanted.sent !== undefined) {
    const sent = requests.map(({ batch, calls }) =>
      batch ? calls.map(({ method, params }) => ({ method, params })) : { ...calls[0], id: 0 },
    );
    expect(sent).toEqual(wanted.sent.map(expectedRequest));
  }
  for (const each of wanted.sent?.flat() ?? []) {
    if (typeof each === 'object' && 'paramsText' in each) {
      expect(requests.map(({ text }) => text).join()).toContain(`"params":${each.paramsText}`);
    }
  }
  if (wanted.connections !== undefined) expect(connections).toBe(wanted.connections);
  if (wanted.maxConcurrent !== undefined) expect(maxConcurrent).toBe(wanted.maxConcurrent);
  if (wanted.headers !== undefined) expect(requests[0]!.headers).toMatchObject(wanted.headers);
  for (const { calls } of requests) {
    const ids = calls.map(({ id }) => id);
    expect(new Set(ids).size, 'each call has an id of its own').toBe(ids.length);
    for (const { jsonrpc, id } of calls) expect([jsonrpc, typeof id]).toEqual(['2.0', 'number']);
  }
}

function checkCall(
  { response, error, elapsedMs }: Ended,
  { wanted, classOf, about }: { wanted: ExpectedCall; classOf: ClassOf; about: string },
): void {
  if (wanted.error !== undefined) {
    const { class: name, ...members } = wanted.error;
    expect({ ...facts(error), class: classOf(error) }, about).toMatchObject({
      ...members,
      class: name,
    });
  } else {
    expect(error, about).toBeUndefined();
  }
  if (wanted.result !== undefined) expect(response?.result, about).toEqual(wanted.result);
  if (wanted.resultText !== undefined) {
    expect(sortedText(response?.result), about).toBe(wanted.resultText);
  }
  if (wanted.response !== undefined) expect(response, about).toMatchObject(wanted.response);
  // Timers of a runtime may fire a little early.
  expect(elapsedMs, about).toBeGreaterThanOrEqual((wanted.minElapsedMs ?? 0) - 3);
}

function facts(error: unknown): object {
  const { code, reason, message, revertReason, status, data } = error as Record<string, unknown>;
  return { code, reason, message, revertReason, status, data };
}

function expectedRequest(sent: SentCall | readonly SentCall[]): unknown {
  if (Array.isArray(sent)) return (sent as SentCall[]).map((each) => expectedCall(each));
  return expect.objectContaining(expectedCall(sent as SentCall));
}

function expectedCall(sent: SentCall): object {
  const { method, params } =
    typeof sent === 'string' ? { method: sent } : { params: undefined, ...sent };
  return { method, params: params ?? expect.anything() };
}

/** JSON text with sorted members and exact integers, written without the code under test. */
function sortedText(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(sortedText).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([k, each]) => `${JSON.stringify(k)}:${sortedText(each)}`,
  );
  return `{${members.join()}}`;
}
