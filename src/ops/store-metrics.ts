import type { LedgerFigures } from '../credits/lease-ledger.ts';
import type { EndedOperation } from '../store/store.ts';
import { Counter, DurationHistogram, ObservedMetric, type Metric } from './metric-types.ts';

export interface StoreMetrics {
  onStoreOperation(operation: EndedOperation): void;
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
    onStoreOperation({ name, hasFailed, duration_ms }) {
      operations.add(1, name, hasFailed ? 'failed' : 'ok');
      if (hasFailed) failures.add(1);
      durations.observe(duration_ms, name);
    },
  };
}

type Figure = Exclude<keyof LedgerFigures, 'accounts'>;

const ledgerRows: Readonly<Record<Figure, readonly [name: string, help: string]>> = {
  leases: ['specgate_leases_held', 'Leases of account credits held by this process.'],
  held_credits: ['specgate_leased_credits', 'Credits of the held leases, spent or not.'],
  reserved_credits: ['specgate_reserved_credits', 'Credits reserved for calls in flight.'],
  waiting_calls: [
    'specgate_calls_waiting_for_store',
    'Calls waiting for the store to lease credits.',
  ],
  granted: ['specgate_leases_granted_total', 'Leases granted by the store.'],
  refused: [
    'specgate_lease_rejections_total',
    'Calls rejected because the account had no credits left in the store.',
  ],
  expired: [
    'specgate_leases_expired_total',
    'Leases of this process that expired before they were returned; their unspent credits are lost.',
  ],
  closed: [
    'specgate_leases_closed_total',
    'Expired leases of other processes that this one closed.',
  ],
  unrecorded_credits: [
    'specgate_credits_unrecorded_total',
    'Credits of completed calls that the store did not record, because their lease had expired.',
  ],
};

/** Reads the figures of the ledger when metrics are scraped. There are no samples until it is open. */
export function createLedgerMetrics(
  read: () => LedgerFigures | undefined,
): readonly ObservedMetric[] {
  const figures = Object.keys(ledgerRows) as Figure[];
  return figures.map((figure) => {
    const [name, help] = ledgerRows[figure];
    return new ObservedMetric(name, help, [], () => {
      const current = read();
      return current === undefined ? [] : [[current[figure]]];
    });
  });
}
