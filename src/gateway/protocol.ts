import type { ErrorRow } from '../errors/catalog.ts';
import type { Validate } from '../rpc/call.ts';
import type { Plan } from '../store/records.ts';

/** A row of the generated method table: all the gateway knows of a method. */
export interface MethodEntry {
  readonly name: string;
  readonly credits: number;
  /** May go to a partner when the network's own nodes cannot answer. */
  readonly forwarding: boolean;
  /** Network family that offers the method; null when every one does. */
  readonly family: string | null;
  readonly summary: string;
  /** How far it may change: experimental, beta, stable or deprecated. */
  readonly stability: string;
  readonly deprecated: boolean;
  /** Dates (RFC 3339): since when it is deprecated, and from when it may be gone. */
  readonly deprecatedSince: string | null;
  readonly sunset: string | null;
  /** Where there is more to read of it. */
  readonly docs: string | null;
  readonly params: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly default?: unknown;
  }[];
  /** Quantities lowered to a multiple of the newest block's gas limit; pointers into params. */
  readonly gasCaps: readonly { readonly pointer: string; readonly timesBlockGasLimit: number }[];
  /** Params rewritten before they go to a node. */
  readonly normalize: readonly {
    readonly pointer: string;
    readonly to: string;
    readonly aliases: Readonly<Record<string, string>>;
  }[];
  /** Where params name a block or slot the node must know. */
  readonly blocks: readonly { readonly pointer: string; readonly reads: 'at' | 'from' }[];
  /** Node errors that mean "not found": `message` is a regular expression. */
  readonly notFound: readonly { readonly code: number; readonly message: string }[];
  /** Names of rows of the error catalogue. */
  readonly errors: readonly string[];
}

/** What the gateway is given of a document: all of it generated. */
export interface Protocol {
  readonly methods: Readonly<Record<string, MethodEntry>>;
  readonly validateParams: Readonly<Record<string, Validate>>;
  readonly validateResult: Readonly<Record<string, Validate>>;
  readonly errors: Readonly<Record<string, ErrorRow>>;
  readonly plans: readonly Plan[];
  readonly limits: { readonly requestBytes: number; readonly batchCalls: number };
  /** What the documentation calls the service. */
  readonly title: string;
  readonly version: string;
  /** The OpenRPC document itself: JSON text, served as it is. */
  readonly document: string;
}
