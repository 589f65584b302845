/** The facts a server needs to serve a method. */
export interface MethodEntry {
  readonly name: string;
  readonly summary: string;
  /** The price of a call, 0 by default. */
  readonly credits: number;
  /** The network family that serves the method. */
  readonly family: string | null;
  readonly transports: {
    readonly supported: readonly string[];
    readonly documented: readonly string[];
  };
  /** Whether calls may be forwarded to a partner. */
  readonly forwarding: boolean;
  readonly paramStructure: 'by-position' | 'by-name' | 'either';
  readonly stability: string;
  readonly deprecated: boolean;
  /** Date (RFC 3339) since when the method is deprecated. */
  readonly deprecatedSince: string | null;
  /** Date (RFC 3339) from which the method may be removed. */
  readonly sunset: string | null;
  /** URL of further documentation. */
  readonly docs: string | null;
  readonly params: readonly ParamEntry[];
  /** Quantities with an upper bound, by pointer (RFC 6901) into the params. */
  readonly gasCaps: readonly GasCap[];
  /** Parameters to rewrite for the node, by pointer; `*` stands for all elements of an array. */
  readonly normalize: readonly Normalization[];
  /** Objects whose optional members may be null, which means absent; outer objects come first. */
  readonly nullMembers: readonly NullMembers[];
  /** Parameters that name a block or slot that the node must have, by pointer. */
  readonly blocks: readonly BlockParam[];
  /** Whether the result is null for an error of a node that means "not found". */
  readonly nullIfNotFound: boolean;
  /** When the result of a call no longer changes; null: it may always change. */
  readonly immutable: Immutability | null;
  /** Names of the errors the method declares. */
  readonly errors: readonly string[];
}

export interface ParamEntry {
  readonly name: string;
  readonly required: boolean;
  /** Whether null for the parameter, at the end of the params, means that it is omitted. */
  readonly nullIsAbsent?: boolean;
  /** The value of an omitted parameter; integers beyond 2^53 are bigints. */
  readonly default?: unknown;
}

export interface BlockParam {
  readonly pointer: string;
  /** `at` reads that block; `from` reads the latest state, at that block or later. */
  readonly reads: 'at' | 'from';
}

/**
 * The result of a call no longer changes once the block whose number is at `pointer` is finalized. A tag,
 * null or nothing at that place is not a number. Without a place, every result is final at once. A result
 * that is null may always change.
 */
export interface Immutability {
  readonly block: { readonly in: 'params' | 'result'; readonly pointer: string } | null;
}

export interface GasCap {
  readonly pointer: string;
  readonly timesBlockGasLimit: number;
}

export interface NullMembers {
  readonly pointer: string;
  readonly members: readonly string[];
}

export interface Normalization {
  readonly pointer: string;
  /** `bytes32`: padded with zeros on the left. */
  readonly to: 'quantity' | 'bytes32';
  readonly aliases: Readonly<Record<string, string>>;
}
