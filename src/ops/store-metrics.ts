import type { LedgerFigures } from '../credits/lease-ledger.ts';
import { Counter, DurationHistogram, ObservedMetric, type Metric } from './metric-types.ts';

export interface StoreMetrics {
  /** Counts an operation that has ended. */
  onStoreOperation(sample: StoreSample): void;
}

export interface StoreSample {
  readonly operation: string;
  readonly hasFailed: boolean;
  readonly duration_ms: number;
}

export function createStoreMetrics(): StoreMetrics & { readonly metrics: readonly Metric[] } {
  const operations = new Counter(
    'specgate_store_operations_total',
    'Store operations, by outcome: ok or failed.',
    ['operation', 'outcome'],
  );
  const failures = new Counter('specgate_store_failures_total', 'Store operations that failed.');
  const durations = new DurationHistogram(
    'specgate_store_duration_seconds',
    'Duration of store operations, including the time in the queue.',
    ['operation'],
  );
  return {
    metrics: [operations, failures, durations],
    onStoreOperation({ operation, hasFailed, duration_ms }) {
      operations.add(1, operation, hasFailed ? 'failed' : 'ok');
      if (hasFailed) failures.add(1);
      durations.observe(duration_ms, operation);
    },
  };
}

interface LedgerRow {
  readonly name: string;
  readonly help: string;
  readonly of: (figures: LedgerFigures) => number;
}

const ledgerRows: readonly LedgerRow[] = [
  {
    name: 'specgate_leases_held',
    help: 'Leases of account credits held by this process.',
    of: ({ leases }) => leases,
  },
  {
    name: 'specgate_leased_credits',
    help: 'Credits of the held leases, spent or not.',
    of: ({ held_credits }) => held_credits,
  },
  {
    name: 'specgate_reserved_credits',
    help: 'Credits reserved for calls in flight.',
    of: ({ reserved_credits }) => reserved_credits,
  },
  {
    name: 'specgate_calls_waiting_for_store',
    help: 'Calls waiting for the store to lease credits.',
    of: ({ waiting_calls }) => waiting_calls,
  },
  {
    name: 'specgate_leases_granted_total',
    help: 'Leases granted by the store.',
    of: ({ granted }) => granted,
  },
  {
    name: 'specgate_lease_refusals_total',
    help: 'Calls that the store refused credits for.',
    of: ({ refused }) => refused,
  },
  {
    name: 'specgate_leases_expired_total',
    help: 'Leases of this process that expired before they were returned; their unspent credits are lost.',
    of: ({ expired }) => expired,
  },
  {
    name: 'specgate_leases_closed_total',
    help: 'Expired leases of other processes that this one closed.',
    of: ({ closed }) => closed,
  },
  {
    name: 'specgate_credits_unrecorded_total',
    help: 'Credits of answered calls that the store did not record, because their lease had expired.',
    of: ({ unrecorded_credits }) => unrecorded_credits,
  },
];

/** Reads the figures of the ledger when metrics are scraped; without samples until it is open. */
export function createLedgerMetrics(
  read: () => LedgerFigures | undefined,
): readonly ObservedMetric[] {
  return ledgerRows.map(({ name, help, of }) => {
    const type = name.endsWith('_total') ? 'counter' : 'gauge';
    return new ObservedMetric({ name, help, type }, () => {
      const figures = read();
      return figures === undefined ? [] : [[of(figures)]];
    });
  });
}
