import type { LoadedConfig } from './load-config.ts';
import type { RunningGateway } from './running-gateway.ts';

/** A configuration being served, by this process or by several. */
export interface ServedConfig extends Pick<RunningGateway, 'networks' | 'docs' | 'ops'> {
  /** Serves another configuration, or throws StartError and leaves all as it was. */
  apply(next: LoadedConfig): Promise<void>;
  /** Brings the store to the plans and accounts of a configuration. */
  seed(next: LoadedConfig): Promise<void>;
  stop(): Promise<void>;
}
