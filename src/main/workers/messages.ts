import type { ReadinessReport } from '../../ops/readiness.ts';
import type { LoadedConfig } from '../load-config.ts';
import type { RunningNetwork } from '../running-gateway.ts';

/** What the primary process asks of a worker. Each is answered. */
export type Order =
  | {
      readonly kind: 'start';
      readonly loaded: LoadedConfig;
      /** The configuration's file, for messages about it. */
      readonly file: string;
      /** From 1 on; for logs. */
      readonly worker: number;
    }
  /** Makes a configuration ready, to be taken or discarded. */
  | { readonly kind: 'prepare'; readonly loaded: LoadedConfig }
  | { readonly kind: 'take' }
  | { readonly kind: 'discard' }
  /** Brings the store to the plans and accounts of a configuration. */
  | { readonly kind: 'seed'; readonly loaded: LoadedConfig }
  | { readonly kind: 'report' }
  /** Answers what was taken, then ends the process. */
  | { readonly kind: 'stop' };

export interface Started {
  readonly networks: readonly RunningNetwork[];
  readonly docs: string | undefined;
}

export interface Report {
  readonly readiness: ReadinessReport;
  readonly metrics: { readonly text: string; readonly contentType: string };
}

/** What a worker answers to each kind of order. */
export interface Answers {
  readonly start: Started;
  readonly prepare: undefined;
  readonly take: undefined;
  readonly discard: undefined;
  readonly seed: undefined;
  readonly report: Report;
  readonly stop: undefined;
}

export type Sent = { readonly id: number; readonly order: Order };

export type Reply = { readonly id: number } & (
  | { readonly value: Answers[Order['kind']] }
  /** `isForOperator`: the message says what to mend. */
  | { readonly failure: string; readonly isForOperator: boolean }
);
