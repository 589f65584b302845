import type { Violation } from '../../common/validators-runtime/violations.js';

/** A result that an upstream gave to a call. */
export interface Sample {
  readonly method: string;
  readonly upstream: string;
  /** JSON text. */
  readonly result: Buffer;
}

/** What is wrong with a result; nothing when it is as the document says. */
export type CheckResult = (result: unknown) => readonly Violation[];

/** What came of a sample. */
export type MonitorEvent =
  | { readonly kind: 'checked'; readonly method: string; readonly upstream: string }
  | {
      readonly kind: 'violation';
      readonly method: string;
      readonly upstream: string;
      /** At least one. */
      readonly violations: readonly Violation[];
      /** Whether the same was told of this upstream not long ago; then it is worth a count only. */
      readonly isRepeat: boolean;
    }
  | {
      readonly kind: 'skipped';
      readonly method: string;
      readonly upstream: string;
      readonly reason: 'too_large' | 'queue_full' | 'no_schema' | 'not_checkable';
    };
