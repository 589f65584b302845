import type { ReadinessReport } from '../../ops/readiness.ts';
import type { RunningNetwork } from '../addresses.ts';
import type { LoadedConfig } from '../load-config.ts';

/** What the primary process sends to a worker. Each command gets a reply. */
export type Command =
  | {
      readonly kind: 'start';
      readonly loaded: LoadedConfig;
      /** The configuration file, for error messages. */
      readonly file: string;
      /** Counted from 1, for logs. */
      readonly worker: number;
    }
  /** Opens a configuration without serving it; `activate` or `discard` follows. */
  | { readonly kind: 'prepare'; readonly loaded: LoadedConfig }
  | { readonly kind: 'activate' }
  | { readonly kind: 'discard' }
  /** Writes the plans and accounts of a configuration to the store. */
  | { readonly kind: 'seed'; readonly loaded: LoadedConfig }
  | { readonly kind: 'report' }
  /** Answers accepted calls, then ends the process. */
  | { readonly kind: 'stop' };

export interface Started {
  readonly networks: readonly RunningNetwork[];
  readonly docs: string | undefined;
}

export interface Report {
  readonly readiness: ReadinessReport;
  readonly metrics: { readonly text: string; readonly contentType: string };
}

/** The value of a successful reply, by kind of command. */
export type ReplyValue<Kind extends Command['kind']> = Kind extends 'start'
  ? Started
  : Kind extends 'report'
    ? Report
    : undefined;

export interface CommandMessage {
  readonly id: number;
  readonly command: Command;
}

export type Reply = { readonly id: number } & (
  | { readonly value: ReplyValue<Command['kind']> }
  /** `isForOperator`: the operator can fix the cause, as the message says. */
  | { readonly failure: string; readonly isForOperator: boolean }
);
