import type { StreamingUpstream } from './upstream.ts';
import type { Failure } from './failure.ts';

/** What an upstream is given to keep to while it is open. */
export interface Guard {
  /**
   * Proves by calls to `upstream` that it belongs to the network. Resolves to what is wrong, or to
   * undefined. Never rejects.
   */
  prove(upstream: StreamingUpstream): Promise<Failure | undefined>;
  /** Told when an upstream that keeps a connection has one, and when and why it lost it. */
  onReady(isReady: boolean, detail: string): void;
}

/** An upstream with connections of its own. */
export interface OpenUpstream {
  readonly call: StreamingUpstream;
  /** Calls it sends at once; further ones would wait in it. Absent: any number. */
  readonly slots?: number;
  /**
   * Begins to dial, where connections are kept; from now on nothing is served over a connection
   * before its other end has proved who it is. Resolves when the first attempt has ended.
   */
  start(guard: Guard): Promise<void>;
  /** Ends its connections; calls under way fail. */
  close(): Promise<void>;
}
