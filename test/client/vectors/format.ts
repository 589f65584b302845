/** The format of the vectors' files; README.md documents the members. */
import { readdirSync, readFileSync } from 'node:fs';

export interface VectorOptions {
  readonly timeoutMs?: number;
  readonly retries?: number;
  readonly backoffMs?: number;
  readonly maxBackoffMs?: number;
  readonly batch?: { readonly size?: number; readonly waitMs?: number } | false;
  readonly maxInFlight?: number;
  readonly maxWaiting?: number;
  readonly maxResponseBytes?: number;
  readonly bigint?: boolean;
  readonly replay?: boolean;
  readonly heartbeatMs?: number;
  readonly connectTimeoutMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface VectorCall {
  readonly method: string;
  readonly params?: readonly unknown[];
  readonly paramsText?: string;
  readonly afterMs?: number;
  readonly afterCall?: number;
  readonly timeoutMs?: number;
  readonly abortAfterMs?: number;
  readonly abortAfterRequests?: number;
}

export interface Answer {
  readonly of?: number;
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

export interface Exchange {
  readonly delayMs?: number;
  readonly untilRequests?: number;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly answers?: readonly Answer[];
  readonly as?: 'list' | 'object' | 'messages';
  readonly body?: string;
  readonly cut?: 'reset' | number;
  readonly close?: { readonly code: number; readonly reason?: string };
  readonly binary?: boolean;
  readonly silent?: boolean;
}

export interface Upgrade {
  readonly status?: number;
  readonly body?: string;
  readonly silent?: boolean;
}

export interface ExpectedError {
  readonly class: string;
  readonly code?: number;
  readonly reason?: string | null;
  readonly message?: string;
  readonly revertReason?: string | null;
  readonly status?: number;
  readonly data?: unknown;
}

export interface ExpectedCall {
  readonly result?: unknown;
  readonly resultText?: string;
  readonly error?: ExpectedError;
  readonly response?: {
    readonly credits?: number | null;
    readonly requestId?: string | null;
    readonly status?: number;
  };
  readonly minElapsedMs?: number;
}

export type SentCall =
  | string
  | {
      readonly method: string;
      readonly params?: unknown;
      readonly paramsText?: string;
    };

export interface Vector {
  readonly name: string;
  readonly transport: 'http' | 'websocket';
  readonly options?: VectorOptions;
  readonly calls: readonly VectorCall[];
  readonly server: {
    readonly exchanges?: readonly Exchange[];
    readonly upgrades?: readonly Upgrade[];
  };
  readonly expect: {
    readonly calls: readonly ExpectedCall[];
    readonly order?: readonly number[];
    readonly sent?: readonly (SentCall | readonly SentCall[])[];
    readonly connections?: number;
    readonly maxConcurrent?: number;
    readonly headers?: Readonly<Record<string, string>>;
  };
}

interface VectorFile {
  readonly about: string;
  readonly options?: VectorOptions;
  readonly vectors: readonly Vector[];
}

/** A vector with its place, its file's options included. */
export interface PlacedVector extends Vector {
  readonly file: string;
  readonly index: number;
  readonly options: VectorOptions;
}

/** Every vector, by file name and place. */
export function readVectors(): readonly PlacedVector[] {
  return readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .flatMap((name) => {
      const text = readFileSync(new URL(name, import.meta.url), 'utf8');
      const { options, vectors } = JSON.parse(text) as VectorFile;
      return vectors.map((vector, index) => ({
        ...vector,
        file: name.replace(/\.json$/, ''),
        index,
        options: { ...options, ...vector.options },
      }));
    });
}

/** The requests of a run, as the server received them. */
export interface Seen {
  readonly requests: readonly SeenRequest[];
  readonly connections: number;
  readonly maxConcurrent: number;
}

export interface SeenRequest {
  readonly batch: boolean;
  readonly calls: readonly {
    readonly jsonrpc: string;
    readonly id?: unknown;
    readonly method: string;
    readonly params?: unknown;
  }[];
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}
