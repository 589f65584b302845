import { randomBytes } from 'node:crypto';
import { systemClock } from '../../time/clock.ts';
import { openTracing } from '../../tracing/open-tracing.ts';
import type { LoadedConfig } from '../load-config.ts';
import { createLogger, type Logger } from '../logger.ts';
import { portSettingIn } from '../port-setting.ts';
import { protocol } from '../protocol.ts';
import { isForOperator } from '../start-error.ts';
import { startGateway } from '../start-gateway.ts';
import type { RunningGateway } from '../running-gateway.ts';
import type { Successor } from '../succession.ts';
import type { Answers, Order, Reply, Report, Sent, Started } from './messages.ts';

/** A gateway as a process of its own, led by the primary process through messages. */
let gateway: RunningGateway | undefined;
/** What was made ready and waits to be taken. */
let next: { readonly successor: Successor; readonly loaded: LoadedConfig } | undefined;
let logger: Logger | undefined;

/** How long a worker that found a fault in itself may take to end. */
const FAULT_MS = 30_000;

// The primary decides: a terminal sends these to every process of the group.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.on(signal, () => undefined);

process.on('message', (sent: Sent) => {
  void handle(sent);
});

async function handle(sent: Sent): Promise<void> {
  const reply = await answer(sent);
  process.send!(reply, () => {
    if (sent.order.kind === 'stop') process.exit(0);
  });
}

async function answer({ id, order }: Sent): Promise<Reply> {
  try {
    return { id, value: await obey(order) };
  } catch (error) {
    const { message } = error as Error;
    return { id, failure: message, isForOperator: isForOperator(error) };
  }
}

async function obey(order: Order): Promise<Answers[Order['kind']]> {
  switch (order.kind) {
    case 'start':
      return start(order);
    case 'prepare':
      next = { successor: await gateway!.prepare(order.loaded), loaded: order.loaded };
      return undefined;
    case 'take':
      take();
      return undefined;
    case 'discard':
      await next?.successor.discard();
      next = undefined;
      return undefined;
    case 'seed':
      await gateway!.seed(order.loaded);
      return undefined;
    case 'report':
      return report(gateway!);
    default:
      await gateway?.stop();
      return undefined;
  }
}

function take(): void {
  if (next === undefined || logger === undefined) return;
  next.successor.take();
  logger.level = next.loaded.config.log;
  next = undefined;
}

async function start({ loaded, file, worker }: Order & { kind: 'start' }): Promise<Started> {
  const log = createLogger(loaded.config.log, { worker });
  logger = log;
  const fail = (fault: unknown): void => {
    log.error({ err: fault }, 'a fault nobody caught');
    // What it has taken is answered all the same, where that is still possible.
    setTimeout(() => process.exit(1), FAULT_MS).unref();
    const end = (): never => process.exit(1);
    (gateway?.stop() ?? Promise.resolve()).then(end, end);
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  gateway = await startGateway(loaded, {
    protocol,
    logger: log,
    clock: systemClock,
    tracing: openTracing(protocol.version),
    instance: randomBytes(4).toString('hex'),
    portSetting: portSettingIn(file),
    isOperatedElsewhere: true,
  });
  const { networks, docs } = gateway;
  return { networks, docs };
}

async function report({ operations }: RunningGateway): Promise<Report> {
  return { readiness: await operations.readiness(), metrics: await operations.metrics() };
}
