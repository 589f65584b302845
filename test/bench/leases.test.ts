import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../bench/leases/instance.ts';
import { replay } from '../../bench/leases/replay.ts';
import { simulate, type SimulationOptions } from '../../bench/leases/simulate.ts';
import { seedOfCases } from '../support/soak.ts';

const seed = seedOfCases();
const options: SimulationOptions = {
  instances: 12,
  accounts: 300,
  calls_per_s: 300,
  duration_s: 12,
  spread: 12,
  scarce: 300,
  crashes: 0,
  partitions: 0,
  seed,
};

describe(`simulated gateways on one store, seed ${seed}`, () => {
  it('overspend no account and lose no credits while nothing breaks', async () => {
    const { calls, served, overspent, lost, end, ...figures } = await simulate(options);
    expect({ overspent, lost, leased: end.leased, of: end.lost }).toEqual({
      overspent: 0,
      lost: { crash: 0, partition: 0, other: 0 },
      leased: 0,
      of: 0,
    });
    expect(figures.unavailable_calls).toBe(0);
    expect(figures.rejected_calls).toBeGreaterThan(0);
    expect(end.spent).toBe(served);
    expect(calls).toBeGreaterThan(3_000);
  });

  it('overspend no account with crashes and partitions, and lose at most what those held', async () => {
    const figures = await simulate({ ...options, crashes: 4, partitions: 4 });
    const { served, overspent, lost, held_by_crashed, end } = figures;
    expect({ overspent, other: lost.other, leased: end.leased }).toEqual({
      overspent: 0,
      other: 0,
      leased: 0,
    });
    expect(lost.crash).toBeGreaterThan(0);
    expect(lost.crash).toBeLessThanOrEqual(held_by_crashed);
    // Calls that were answered are spent, or lost with the process that answered them.
    expect(served).toBeLessThanOrEqual(end.spent + end.lost);
    expect(end.lost).toBeLessThanOrEqual(lost.crash + lost.partition);
  });

  it('get from the simulated store the replies of SQLite', async () => {
    const exchanges: Exchange[] = [];
    await simulate({
      ...options,
      accounts: 40,
      duration_s: 3,
      crashes: 2,
      partitions: 2,
      onExchange: (exchange) => exchanges.push(exchange),
    });
    const replies: unknown[] = [];
    await replay(':memory:', {
      exchanges,
      traffic: { ...options, accounts: 40, duration_s: 3 },
      concurrency: 1,
      onReplies: (each) => replies.push(each),
    });
    expect(replies.length).toBeGreaterThan(100);
    expect(replies).toEqual(exchanges.map((exchange) => exchange.replies));
  });
});
