import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { describe, it, onTestFinished } from 'vitest';
import { eventually } from '../transport/eventually.ts';
import { atScale } from '../support/soak.ts';
import type { Serving } from '../support/serve.ts';
import { configBefore, KEY, serveForTest, startNamedNode } from './load-support.ts';

const WORKERS = 5;
const KILLS = atScale(12, 4);

/** Process ids of all workers that have been started, in the order in which they began to serve. */
function startsOf(serving: Serving): readonly number[] {
  const lines = serving.log().matchAll(/"pid":(\d+),"msg":"worker started"/g);
  return [...lines].map(([, pid]) => Number(pid));
}

/** How many sockets a process holds open: connections, listeners and channels to workers. */
function socketsOf(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((name) => {
    try {
      return readlinkSync(`${folder}/${name}`).startsWith('socket:');
    } catch {
      return false; // Closed since the folder was read.
    }
  }).length;
}

/** The state of a process by proc(5): T is stopped by a signal. */
function stateOf(pid: number): string | undefined {
  return /^State:\s+(\S)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
}

type Outcome = 'pending' | 'answered' | 'closed unanswered';

const BODY = '{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["0x1",false]}';
const REQUEST =
  `POST /v3/${KEY} HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;

/** Makes one call on a connection of its own; returns how it ended so far. */
async function callOn(base: string): Promise<() => Outcome> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  let outcome: Outcome = 'pending';
  let bytes = 0;
  socket.on('error', () => undefined);
  socket.on('data', ({ length }) => {
    bytes += length;
  });
  socket.on('close', () => {
    outcome = bytes > 0 ? 'answered' : 'closed unanswered';
  });
  socket.write(REQUEST);
  return () => outcome;
}

/** As many calls at one time as there are workers. */
function callsOn(base: string): Promise<(() => Outcome)[]> {
  return Promise.all(Array.from({ length: WORKERS }, () => callOn(base)));
}

// Only Linux shows what another process holds open.
describe.runIf(process.platform === 'linux')('the process that distributes connections', () => {
  it('leaves no caller waiting and no descriptor open after a worker was killed', async () => {
    const node = await startNamedNode('a', 1);
    const { networks, ...config } = configBefore(node, 0) as { networks: object[] };
    const other = { ...networks[0], name: 'other' };
    const serving = await serveForTest(
      { ...config, networks: [...networks, other] },
      { workers: WORKERS },
    );
    const [first, second] = serving.bases;
    const socketsAtFirst = socketsOf(serving.pid);
    for (let kill = 0; kill < KILLS; kill += 1) {
      // Of those that serve, the one that was started first.
      const victim = startsOf(serving)[kill]!;
      process.kill(victim, 'SIGSTOP');
      await eventually(() => stateOf(victim)).toBe('T');
      // Each worker is sent one connection; the one that is stopped does not take it.
      const calls = await callsOn(first!);
      await eventually(() => calls.filter((outcome) => outcome() === 'pending').length).toBe(1);
      const held = calls.find((outcome) => outcome() === 'pending')!;
      process.kill(victim, 'SIGKILL');
      await eventually(held).toBe('closed unanswered');
      for (const outcome of await callsOn(second!)) await eventually(outcome).toBe('answered');
      await eventually(() => startsOf(serving).length).toBe(WORKERS + kill + 1);
    }
    await eventually(() => socketsOf(serving.pid)).toBe(socketsAtFirst);
  }, 180_000);
});
