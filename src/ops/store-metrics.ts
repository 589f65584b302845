import type { LedgerFigures } from '../credits/lease-ledger.ts';
import { Durations } from './durations.ts';
import type { Family } from './exposition.ts';
import { Reading } from './reading.ts';
import { Tally } from './tally.ts';

/** What is asked of the store. */
export interface StoreMetrics {
  /** An operation has ended. */
  onStoreOperation(sample: StoreSample): void;
}

export interface StoreSample {
  readonly operation: string;
  readonly hasFailed: boolean;
  readonly duration_ms: number;
}

export function countStore(): StoreMetrics & { readonly families: readonly Family[] } {
  const operations = new Tally(
    'specgate_store_operations_total',
    'Operations on the store that ended, by outcome: ok or failed.',
    ['operation', 'outcome'],
  );
  const failures = new Tally(
    'specgate_store_failures_total',
    'Operations on the store that failed.',
  );
  const durations = new Durations(
    'specgate_store_duration_seconds',
    'Time an operation on the store took, waiting for its turn included.',
    ['operation'],
  );
  return {
    families: [operations, failures, durations],
    onStoreOperation({ operation, hasFailed, duration_ms }) {
      operations.add(1, operation, hasFailed ? 'failed' : 'ok');
      if (hasFailed) failures.add(1);
      durations.observe(duration_ms, operation);
    },
  };
}

/** What the ledger holds and has been through, read when asked for. */
export function readLedger(figures: () => LedgerFigures | undefined): readonly Family[] {
  const reading = (
    name: string,
    help: string,
    { of, type = 'gauge' }: { of: (read: LedgerFigures) => number; type?: 'gauge' | 'counter' },
  ): Reading =>
    new Reading({ name, help, type }, () => {
      const read = figures();
      return read === undefined ? [] : [[of(read)]];
    });
  const type = 'counter';
  return [
    reading('specgate_leases_held', 'Leases of accounts’ credits held.', {
      of: ({ leases }) => leases,
    }),
    reading('specgate_leased_credits', 'Credits held by leases, spent or not.', {
      of: ({ held_credits }) => held_credits,
    }),
    reading('specgate_reserved_credits', 'Credits set aside for calls under way.', {
      of: ({ reserved_credits }) => reserved_credits,
    }),
    reading('specgate_calls_waiting_for_store', 'Calls that wait for credits from the store.', {
      of: ({ waiting_calls }) => waiting_calls,
    }),
    reading('specgate_leases_granted_total', 'Leases the store granted.', {
      of: ({ granted }) => granted,
      type,
    }),
    reading('specgate_lease_refusals_total', 'Calls the store refused credits for.', {
      of: ({ refused }) => refused,
      type,
    }),
    reading('specgate_leases_forfeited_total', 'Leases of this gateway that ended unreturned.', {
      of: ({ forfeited }) => forfeited,
      type,
    }),
    reading(
      'specgate_leases_closed_total',
      'Leases left behind by gateways, closed by this one as forfeited.',
      { of: ({ closed }) => closed, type },
    ),
    reading(
      'specgate_credits_unrecorded_total',
      'Credits of calls answered that the store would no longer take note of.',
      { of: ({ unrecorded_credits }) => unrecorded_credits, type },
    ),
  ];
}
