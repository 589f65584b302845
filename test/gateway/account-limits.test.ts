import { describe, expect, it } from 'vitest';
import { AccountCounts, callsInFlightOf, connectionsOf } from '../../src/gateway/account-limits.ts';

const limits = { account_calls_in_flight: 2_000, account_connections: 2_000 };

describe('account limits', () => {
  it.each([
    ['no calls', 0, 64, 256],
    ['free', 25, 100, 256],
    ['developer', 100, 400, 400],
    ['team', 500, 2_000, 2_000],
    ['without bound', 1_000_000, 2_000, 2_000],
  ])('follows from the calls a second of its plan: %s', (_plan, callsPerSecond, calls, open) => {
    expect(callsInFlightOf({ callsPerSecond }, limits)).toBe(calls);
    expect(connectionsOf({ callsPerSecond }, limits)).toBe(open);
  });

  it('never exceed what the operator sets', () => {
    const strict = { account_calls_in_flight: 10, account_connections: 20 };
    expect(callsInFlightOf({ callsPerSecond: 25 }, strict)).toBe(10);
    expect(connectionsOf({ callsPerSecond: 25 }, strict)).toBe(20);
  });
});

describe('account counts', () => {
  it('apply to one account, and are decreased once', () => {
    const counts = new AccountCounts();
    const [first, second] = [counts.add('a', 2)!, counts.add('a', 2)!];
    expect(counts.add('a', 2)).toBeUndefined();
    expect(counts.add('b', 2)).toBeDefined();
    first();
    first();
    expect(counts.add('a', 2)).toBeDefined();
    expect(counts.add('a', 2)).toBeUndefined();
    second();
    expect(counts.add('a', 1)).toBeUndefined();
  });
});
