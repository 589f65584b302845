import type { Operations } from '../ops/operations.ts';
import type { LoadedConfig } from './load-config.ts';
import type { Successor } from './succession.ts';

export interface RunningNetwork {
  readonly name: string;
  readonly family: string;
  /** Base address for HTTP, such as `http://127.0.0.1:8545`. */
  readonly http: string;
  readonly ws: string;
  /** Host and port it listens at. */
  readonly listen: string;
}

export interface RunningGateway {
  readonly networks: readonly RunningNetwork[];
  /** Addresses, with a slash behind them; none when the gateway does not serve them itself. */
  readonly ops: string | undefined;
  readonly docs: string | undefined;
  readonly operations: Operations;
  /**
   * Makes everything ready for another configuration; nothing is served by it before it is taken.
   * Throws StartError when it cannot be, with nothing left open, and then all stays as it was.
   */
  prepare(loaded: LoadedConfig): Promise<Successor>;
  /** Brings the store to the plans and accounts of a configuration. */
  seed(loaded: LoadedConfig): Promise<void>;
  /** Answers what was taken, within limits, and leaves nothing open. */
  stop(): Promise<void>;
}
