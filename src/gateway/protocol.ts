import type { ErrorRow } from '../errors/catalog.ts';
import type { Validate } from '../rpc/call.ts';
import type { Immutability } from '../upstream/with-cache.ts';
import type { Plan } from '../store/records.ts';

/** A row of the generated method table. */
export interface MethodEntry {
  readonly name: string;
  readonly credits: number;
  /** Whether a call may be forwarded to a partner when the network's own nodes cannot serve it. */
  readonly forwarding: boolean;
  /** The network family that offers the method; null: all of them. */
  readonly family: string | null;
  readonly summary: string;
  /** How stable it is: experimental, beta, stable or deprecated. */
  readonly stability: string;
  readonly deprecated: boolean;
  /** Dates (RFC 3339) of the deprecation and of the earliest removal. */
  readonly deprecatedSince: string | null;
  readonly sunset: string | null;
  /** URL of its documentation. */
  readonly docs: string | null;
  readonly params: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly nullIsAbsent?: boolean;
    readonly default?: unknown;
  }[];
  /** Quantities capped at a multiple of the newest block's gas limit; pointers into params. */
  readonly gasCaps: readonly { readonly pointer: string; readonly timesBlockGasLimit: number }[];
  /** Params normalized before they are sent to a node. */
  readonly normalize: readonly {
    readonly pointer: string;
    /** `bytes32`: padded with zeros on the left. */
    readonly to: 'quantity' | 'bytes32';
    readonly aliases: Readonly<Record<string, string>>;
  }[];
  /** Objects whose listed members may be null, which means absent. Outer objects come first. */
  readonly nullMembers: readonly {
    readonly pointer: string;
    readonly members: readonly string[];
  }[];
  /** Params that name a block or slot which the node must have. */
  readonly blocks: readonly { readonly pointer: string; readonly reads: 'at' | 'from' }[];
  /** Whether the result is null for a node error that means "not found". */
  readonly nullIfNotFound: boolean;
  /** When the result of a call no longer changes; null: it may always change. */
  readonly immutable: Immutability | null;
  /** Names of rows of the error catalog. */
  readonly errors: readonly string[];
}

/** Where the result of a service method comes from. */
export type ServiceSource =
  | 'document'
  | 'chain-id'
  | 'network-id'
  | 'block-number'
  | 'client-version';

/** A method that the gateway handles itself, without params and free of charge. */
export interface ServiceMethod {
  readonly name: string;
  /** The network family that offers it; null: all of them. */
  readonly family: string | null;
  readonly source: ServiceSource;
  readonly summary: string;
}

/** The parts of a document that the gateway uses, all of them generated. */
export interface Protocol {
  readonly methods: Readonly<Record<string, MethodEntry>>;
  readonly serviceMethods: readonly ServiceMethod[];
  readonly validateParams: Readonly<Record<string, Validate>>;
  readonly validateResult: Readonly<Record<string, Validate>>;
  readonly errors: Readonly<Record<string, ErrorRow>>;
  readonly plans: readonly Plan[];
  readonly limits: { readonly requestBytes: number; readonly batchCalls: number };
  /** Name of the service in the documentation. */
  readonly title: string;
  readonly version: string;
  /** The OpenRPC document as JSON text, served unchanged. */
  readonly document: string;
}
