import { serveOperations } from '../../ops/operations.ts';
import type { Protocol } from '../../gateway/protocol.ts';
import { authorityOf } from '../addresses.ts';
import { limitsFor } from '../limits-for.ts';
import type { LoadedConfig } from '../load-config.ts';
import type { Logger } from '../logger.ts';
import { portSettingIn } from '../port-setting.ts';
import type { ServedConfig } from '../served-config.ts';
import { explained } from '../start-error.ts';
import { Crew } from './crew.ts';
import { createPortSettler } from './settle-ports.ts';

export interface CrewDependencies {
  readonly workers: number;
  readonly file: string;
  readonly protocol: Protocol;
  readonly logger: Logger;
}

/** Serves a configuration by several processes that share its addresses; one tells how all are. */
export async function startCrew(
  loaded: LoadedConfig,
  { workers, file, protocol, logger }: CrewDependencies,
): Promise<ServedConfig> {
  const settlePorts = createPortSettler();
  const settled = async ({ config, keyPairs }: LoadedConfig): Promise<LoadedConfig> => ({
    config: await settlePorts(config),
    keyPairs,
  });
  const crew = new Crew(await settled(loaded), {
    workers,
    file,
    logger,
    drainOf_ms: ({ config }) => limitsFor(config, protocol).drain_ms,
    random: Math.random,
  });
  const { ops: address } = loaded.config;
  const setting = portSettingIn(file)('ops');
  const ops = await explained(serveOperations(address, crew.operations), { ...address, setting });
  try {
    const { networks, docs } = await crew.start();
    return {
      networks,
      docs,
      ops: `http://${authorityOf(address.host, ops.port)}/`,
      apply: async (next) => crew.apply(await settled(next)),
      seed: (next) => crew.seed(next),
      async stop() {
        // Until the last worker has ended: the operations port reports the drain.
        await crew.stop().finally(() => ops.close());
      },
    };
  } catch (error) {
    await ops.close();
    throw error;
  }
}
