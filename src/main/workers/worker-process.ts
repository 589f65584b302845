import { systemDependencies } from '../dependencies.ts';
import { portSettingIn } from '../addresses.ts';
import type { PreparedConfig } from '../config-swap.ts';
import { startGateway, type Gateway } from '../gateway.ts';
import type { LoadedConfig } from '../load-config.ts';
import { createLogger, type Logger } from '../logger.ts';
import { isForOperator } from '../start-error.ts';
import type { CommandMessage, Reply, WorkerCommands } from './worker.ts';

let gateway: Gateway | undefined;
let logger: Logger | undefined;
let next: { readonly prepared: PreparedConfig; readonly loaded: LoadedConfig } | undefined;

/** How long a worker may take to stop after an uncaught exception. */
const STOP_TIMEOUT_MS = 30_000;

// A terminal sends these to the whole process group; only the primary process acts on them.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.on(signal, () => undefined);

process.on('message', (message: CommandMessage) => {
  void replyTo(message).then((reply) =>
    process.send!(reply, () => {
      if (message.name === 'stop') process.exit(0);
    }),
  );
});

async function replyTo({ id, name, args }: CommandMessage): Promise<Reply> {
  try {
    const perform: (...args: readonly never[]) => Promise<unknown> = commands[name];
    return { id, value: await perform(...(args as readonly never[])) };
  } catch (error) {
    const { message } = error as Error;
    return { id, failure: message, isForOperator: isForOperator(error) };
  }
}

const commands: WorkerCommands = {
  async start({ loaded, file, worker }) {
    const log = createLogger(loaded.config.log, { worker });
    logger = log;
    const fail = (error: unknown): void => {
      log.error({ err: error }, 'uncaught exception');
      void exitAfterStop();
    };
    process.on('uncaughtException', fail);
    process.on('unhandledRejection', fail);
    const portSetting = portSettingIn(file);
    const dependencies = { ...systemDependencies(log), portSetting, isWorker: true };
    gateway = await startGateway(loaded, dependencies);
    const { networks, docs } = gateway;
    return { networks, docs };
  },
  async prepare(loaded) {
    next = { prepared: await gateway!.prepare(loaded), loaded };
  },
  async activate() {
    if (next === undefined || logger === undefined) return;
    next.prepared.activate();
    logger.level = next.loaded.config.log;
    next = undefined;
  },
  async discard() {
    await next?.prepared.discard();
    next = undefined;
  },
  seed: (loaded) => gateway!.seed(loaded),
  async report() {
    const { operations } = gateway!;
    return { readiness: await operations.readiness(), metrics: await operations.metrics() };
  },
  stop: async () => gateway?.stop(),
};

/** Exits with 1, after completing accepted calls if that is still possible. */
async function exitAfterStop(): Promise<never> {
  setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
  await gateway?.stop().catch(() => undefined);
  process.exit(1);
}
