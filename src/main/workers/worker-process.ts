import { systemDependencies } from '../dependencies.ts';
import { portSettingIn } from '../addresses.ts';
import type { PreparedConfig } from '../config-swap.ts';
import { startGateway, type Gateway } from '../gateway.ts';
import type { LoadedConfig } from '../load-config.ts';
import { createLogger, type Logger } from '../logger.ts';
import { isForOperator } from '../start-error.ts';
import type { Command, CommandMessage, Reply, ReplyValue, Report, Started } from './worker.ts';

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
      if (message.command.kind === 'stop') process.exit(0);
    }),
  );
});

async function replyTo({ id, command }: CommandMessage): Promise<Reply> {
  try {
    return { id, value: await handle(command) };
  } catch (error) {
    const { message } = error as Error;
    return { id, failure: message, isForOperator: isForOperator(error) };
  }
}

async function handle(command: Command): Promise<ReplyValue<Command['kind']>> {
  switch (command.kind) {
    case 'start':
      return start(command);
    case 'prepare':
      next = { prepared: await gateway!.prepare(command.loaded), loaded: command.loaded };
      return undefined;
    case 'activate':
      activate();
      return undefined;
    case 'discard':
      await next?.prepared.discard();
      next = undefined;
      return undefined;
    case 'seed':
      await gateway!.seed(command.loaded);
      return undefined;
    case 'report':
      return report(gateway!);
    default:
      await gateway?.stop();
      return undefined;
  }
}

function activate(): void {
  if (next === undefined || logger === undefined) return;
  next.prepared.activate();
  logger.level = next.loaded.config.log;
  next = undefined;
}

async function start({ loaded, file, worker }: Command & { kind: 'start' }): Promise<Started> {
  const log = createLogger(loaded.config.log, { worker });
  logger = log;
  const fail = (error: unknown): void => {
    log.error({ err: error }, 'uncaught exception');
    void exitAfterStop();
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  gateway = await startGateway(loaded, {
    ...systemDependencies(log),
    portSetting: portSettingIn(file),
    isWorker: true,
  });
  const { networks, docs } = gateway;
  return { networks, docs };
}

/** Exits with 1, after answering accepted calls where that is still possible. */
async function exitAfterStop(): Promise<never> {
  setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
  await gateway?.stop().catch(() => undefined);
  process.exit(1);
}

async function report({ operations }: Gateway): Promise<Report> {
  return { readiness: await operations.readiness(), metrics: await operations.metrics() };
}
