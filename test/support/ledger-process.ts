/**
 * The ledger of one gateway in a process of its own, which makes calls on the command of its parent.
 * Every served call is written to a file before it is settled, so that the parent can count them even
 * when the process is killed.
 */
import { openSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { LeaseLedger, type LeaseStore } from '../../src/credits/lease-ledger.ts';
import { RateLimit } from '../../src/credits/rate-limit.ts';
import { seededRandom } from '../../common/make-value/make-value.ts';
import { openStore } from '../../src/store/store.ts';
import { systemClock } from '../../src/time/clock.ts';
import { every } from '../../src/time/periodic.ts';

export interface LedgerProcessOptions {
  readonly store: string;
  /** Has one letter for each served call. */
  readonly servedFile: string;
  readonly accountId: string;
  readonly creditsPerDay: number;
  /** Decides which calls are made, how long they take and which fail. */
  readonly seed: string;
  readonly ttl_ms: number;
  /** How often leases are renewed (a twentieth of their time). */
  readonly tick_ms?: number;
}

/** Methods by their letters, and the cost of a call. */
export const costs = { a: 80, b: 150 } as const;
export type MethodLetter = keyof typeof costs;

export type LedgerOrder =
  | {
      readonly order: 'call';
      readonly calls: number;
      readonly concurrency: number;
      readonly max_ms: number;
      /** The part of the calls that no node answers. */
      readonly failing: number;
      /** The process stops itself (SIGSTOP) after so many calls, between operations of the store. */
      readonly pauseAfter?: number;
    }
  | { readonly order: 'stop' };

/** The outcomes of the calls. */
export interface LedgerAnswer {
  readonly served: number;
  readonly failed: number;
  readonly refused: Readonly<Record<string, number>>;
  /** Operations of the store since the process began. */
  readonly operations: number;
}

async function main(options: LedgerProcessOptions): Promise<void> {
  const { accountId, creditsPerDay, ttl_ms, tick_ms = ttl_ms / 20 } = options;
  let operations = 0;
  const store = await openStore(options.store, {
    onOperation: () => {
      operations += 1;
    },
  });
  let asking = 0;
  const renewLeases: LeaseStore['renewLeases'] = async (batch) => {
    asking += 1;
    try {
      return await store.renewLeases(batch);
    } finally {
      asking -= 1;
    }
  };
  const ledger = new LeaseLedger({
    store: { ...store, renewLeases },
    clock: systemClock,
    limits: { ttl_ms, store_wait_ms: 5_000, waiting_calls: 10_000, max_call_credits: 150 },
    callRates: new RateLimit(systemClock.monotonic_ms),
    onFailure: () => undefined,
  });
  const renewing = every(
    tick_ms,
    () => ledger.renewDue(),
    () => undefined,
  );
  const served = openSync(options.servedFile, 'a');
  const random = seededRandom(options.seed);
  const spender = { accountId, keyId: `key-${process.pid % 2}`, creditsPerDay };

  const serve = async (
    counts: { served: number; failed: number; refused: Record<string, number> },
    { max_ms, failing }: { max_ms: number; failing: number },
  ): Promise<void> => {
    const method = random() < 0.5 ? 'a' : 'b';
    const reserved = await ledger.reserve(spender, method, costs[method]);
    if ('reason' in reserved) {
      counts.refused[reserved.reason] = (counts.refused[reserved.reason] ?? 0) + 1;
      return;
    }
    await sleep(random() * max_ms);
    if (random() < failing) {
      reserved.release();
      counts.failed += 1;
      return;
    }
    writeSync(served, method);
    reserved.settle();
    counts.served += 1;
  };

  const perform = async (order: LedgerOrder): Promise<LedgerAnswer> => {
    const counts = { served: 0, failed: 0, refused: {} };
    if (order.order === 'stop') {
      await renewing.stop();
      await ledger.close();
      await store.close();
    } else {
      let left = order.calls;
      let pauseAt = order.calls - (order.pauseAfter ?? Infinity);
      const caller = async (): Promise<void> => {
        while (left > 0) {
          left -= 1;
          await serve(counts, order);
          // A process that is paused in a transaction blocks the others, which is another test.
          if (left > pauseAt || asking > 0) continue;
          pauseAt = -1;
          process.kill(process.pid, 'SIGSTOP');
        }
      };
      await Promise.all(Array.from({ length: order.concurrency }, caller));
    }
    return { ...counts, operations };
  };

  process.on('message', async (order: LedgerOrder) => {
    process.send!(await perform(order), () => {
      if (order.order === 'stop') process.disconnect();
    });
  });
  process.send!('ready');
}

if (process.send !== undefined && process.argv[2] !== undefined) {
  await main(JSON.parse(process.argv[2]) as LedgerProcessOptions);
}
