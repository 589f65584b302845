import type { WebSocket } from 'ws';
import { expect, it, onTestFinished } from 'vitest';
import { openUpstream } from '../../src/upstream/open-upstream.ts';
import { fakeClock } from './clock.ts';
import { startFakeSocketNode } from './fake-socket-node.ts';
import type { NodeRequest } from './fake-node.ts';
import { callOf, limits, textOf } from './support.ts';

interface RigOptions {
  readonly isSerial: boolean;
  /** Whether it begins the response to \`eth_slow\` at once. */
  readonly begins?: boolean;
  /** Whether the id of that response is its last member. */
  readonly isIdLast?: boolean;
  readonly heartbeat_ms?: number;
}

/** A node that answers `eth_slow` late; the requests that follow on its connection wait if it is serial. */
async function rig({ isSerial, begins = false, isIdLast = false, heartbeat_ms = 1e9 }: RigOptions) {
  const clock = fakeClock();
  /** The requests after a slow one that has not been answered, by connection. */
  const lines = new Map<WebSocket, NodeRequest[]>();
  const started: { readonly account: string; readonly finish: () => void }[] = [];
  const begin = (request: NodeRequest, socket: WebSocket): void => {
    const members = [`"id":${request.id}`, `"result":"${request.method}"`];
    const response = `{${(isIdLast ? members.toReversed() : members).join()}}`;
    if (request.method !== 'eth_slow') return socket.send(response);
    const length = begins ? response.indexOf(',') + 1 : 0;
    if (begins) socket.send(response.slice(0, length), { fin: false });
    const line: NodeRequest[] = [];
    if (isSerial) lines.set(socket, line);
    const finish = (): void => {
      socket.send(response.slice(length));
      lines.delete(socket);
      // One of them may be slow, too.
      for (const next of line) receive(next, socket);
    };
    return void started.push({ account: String(request.params[0]), finish });
  };
  const receive = (request: NodeRequest, socket: WebSocket): void => {
    const line = lines.get(socket);
    if (line === undefined) begin(request, socket);
    else line.push(request);
  };
  const node = await startFakeSocketNode((request, socket) => void receive(request, socket));
  node.answerProbes(() => undefined);
  const { startTimer } = clock;
  const upstream = openUpstream(
    { url: node.url, headers: {} },
    { clock, startTimer, limits: { ...limits, upstream_heartbeat_ms: heartbeat_ms } },
  );
  onTestFinished(() => upstream.close());
  const { signal } = new AbortController();
  const verified: string[] = [];
  await upstream.start({
    async verify(call) {
      verified.push(textOf(await call(callOf('eth_chainId', '[]'), signal)));
      return undefined;
    },
    onReady: () => undefined,
    onDropped: () => undefined,
  });
  const callAs = async (account: string | undefined, method = 'eth_fast'): Promise<string> => {
    const by = account === undefined ? {} : { account };
    return textOf(await upstream.call(callOf(method, JSON.stringify([account]), by), signal));
  };
  const settle = async (): Promise<void> => {
    // Requests sent before have arrived, and answers have been received.
    for (const socket of node.sockets) {
      await new Promise<void>((resolve) => {
        const end = (): void => {
          socket.off('pong', end).off('close', end);
          resolve();
        };
        socket.on('pong', end).on('close', end);
        socket.ping();
      });
    }
  };
  /** Passes this time in steps. */
  const pass = async (ms: number): Promise<void> => {
    for (let passed_ms = 0; passed_ms < ms; passed_ms += 100) {
      clock.pass(100);
      await settle();
    }
  };
  return { clock, node, started, callAs, pass, verified };
}

const isSerial = true;

it.each([
  ['the calls of another account', 'other', false],
  ['the calls of another account', 'other', true],
  ['probes', undefined, false],
  ['probes', undefined, true],
])(
  'sends %s over another connection while a slow call blocks the shared one (%s, begun: %s)',
  async (_, other, begins) => {
    const { node, started, callAs, pass } = await rig({ isSerial, begins });
    const slow = callAs('slow', 'eth_slow');
    const waiting = callAs(other);
    await expect.poll(async () => (await pass(100), node.handshakes.length)).toBe(3);
    expect(await waiting).toBe('"eth_fast"');
    expect(await callAs('third')).toBe('"eth_fast"');
    expect(started).toHaveLength(1);
    started[0]!.finish();
    expect(await slow).toBe('"eth_slow"');
    await expect.poll(async () => (await pass(1_000), node.sockets.size)).toBe(2);
  },
);

it('sends the calls of others over another connection while a node answers many of one account in turn', async () => {
  const { node, started, callAs, pass } = await rig({ isSerial });
  const many = Array.from({ length: 40 }, () => callAs('busy', 'eth_slow'));
  const waiting = [callAs(undefined), callAs('other')];
  let finished = 0;
  const finishNext = async (): Promise<number> => {
    await pass(100);
    started[finished]?.finish();
    finished += 1;
    return node.handshakes.length;
  };
  await expect.poll(finishNext).toBe(3);
  // It is sent again by the caller of the upstream.
  expect(await waiting[1]).toBe('interrupted');
  expect(await callAs('other')).toBe('"eth_fast"');
  expect(finished).toBeLessThan(30);
  await expect.poll(async () => (await finishNext(), finished)).toBeGreaterThan(many.length);
  expect(new Set(await Promise.all(many))).toEqual(new Set(['"eth_slow"']));
  expect(await waiting[0]).toBe('"eth_fast"');
});

it.each([0, 10])(
  'sends them over another connection, too, if a few calls take long, each followed by %i calls of others',
  async (between) => {
    const { node, started, callAs, pass } = await rig({ isSerial });
    const others: Promise<string>[] = [];
    const few = Array.from({ length: 4 }, () => {
      const slow = callAs('busy', 'eth_slow');
      for (let count = 0; count < between; count += 1) others.push(callAs(`other ${count}`));
      return slow;
    });
    const waiting = [callAs(undefined), callAs('other')];
    let finished = 0;
    const finishNext = async (): Promise<number> => {
      await pass(700);
      started[finished]?.finish();
      finished += 1;
      return node.handshakes.length;
    };
    await expect.poll(finishNext).toBe(3);
    expect(finished).toBeLessThan(few.length);
    expect(await waiting[1]).toBe('interrupted');
    expect(await callAs('other')).toBe('"eth_fast"');
    await expect.poll(async () => (await finishNext(), finished)).toBeGreaterThan(2 * few.length);
    expect(await Promise.all(few)).toEqual(few.map(() => '"eth_slow"'));
    expect(await waiting[0]).toBe('"eth_fast"');
    await Promise.all(others);
  },
);

it('leaves calls where they are while a node answers those of several accounts in turn', async () => {
  const { node, started, callAs, pass } = await rig({ isSerial });
  const calls = Array.from({ length: 30 }, (_, index) => callAs(`a${index % 3}`, 'eth_slow'));
  const probe = callAs(undefined);
  for (let finished = 0; finished < calls.length; finished += 1) {
    await pass(100);
    await expect.poll(() => started.length).toBeGreaterThan(finished);
    started[finished]!.finish();
  }
  expect(new Set(await Promise.all([...calls, probe]))).toEqual(
    new Set(['"eth_slow"', '"eth_fast"']),
  );
  expect(node.handshakes).toHaveLength(1);
});

it('sends all calls over other connections if a response without an id so far blocks the shared one', async () => {
  const { node, started, callAs, pass } = await rig({ isSerial, begins: true, isIdLast: true });
  const first = callAs('first');
  expect(await first).toBe('"eth_fast"');
  const calls = [callAs('slow', 'eth_slow'), callAs('other'), callAs('another')];
  let isEnded = false;
  const ended = Promise.all(calls).finally(() => (isEnded = true));
  await expect.poll(async () => (await pass(100), isEnded)).toBe(true);
  expect(await ended).toEqual(Array(3).fill('interrupted'));
  const again = callAs('slow', 'eth_slow');
  await expect.poll(() => started.length).toBe(2);
  for (const account of ['other', 'another', 'third']) {
    expect(await callAs(account)).toBe('"eth_fast"');
  }
  started[1]!.finish();
  expect(await again).toBe('"eth_slow"');
  // The shared one, its replacement, and one of each account.
  expect(node.handshakes).toHaveLength(5);
});

it('closes a connection over which a response does not continue, though pings are answered', async () => {
  const { node, started, callAs, pass } = await rig({
    isSerial,
    begins: true,
    heartbeat_ms: 10_000,
  });
  const slow = callAs('slow', 'eth_slow');
  await expect.poll(() => started.length).toBe(1);
  await pass(5_000);
  expect(node.sockets.size).toBe(1);
  await expect.poll(async () => (await pass(1_000), node.handshakes.length)).toBeGreaterThan(1);
  expect(await slow).not.toBe('"eth_slow"');
});

it('gives an account whose calls are always slow a connection of its own', async () => {
  const { clock, node, started, callAs, pass } = await rig({ isSerial });
  const first = callAs('slow', 'eth_slow');
  const waiting = callAs('other');
  await expect.poll(async () => (await pass(100), node.handshakes.length)).toBe(3);
  await waiting;
  started[0]!.finish();
  await first;
  for (let minute = 1; minute <= 3; minute += 1) {
    const slow = callAs('slow', 'eth_slow');
    await expect.poll(() => started.length).toBe(minute + 1);
    expect(await callAs('other')).toBe('"eth_fast"');
    await pass(1_500);
    started.at(-1)!.finish();
    await slow;
    clock.pass(60_000);
  }
  expect([node.handshakes.length, node.sockets.size]).toEqual([3, 2]);
  clock.pass(60_000);
  await expect.poll(() => node.sockets.size).toBe(1);
});

it('keeps only the oldest call on a connection that it is assumed to block', async () => {
  const { started, callAs, pass, node } = await rig({ isSerial });
  // The first call of the innocent account is the oldest, so it looks as if it blocked the others.
  const held = callAs('innocent', 'eth_slow');
  await expect.poll(() => started.length).toBe(1);
  const calls = ['hanging', 'innocent', 'innocent', 'other'].map((account) => callAs(account));
  let isEnded = false;
  const ended = Promise.all(calls).finally(() => (isEnded = true));
  await expect.poll(async () => (await pass(100), isEnded)).toBe(true);
  expect(await ended).toEqual(['"eth_fast"', 'interrupted', 'interrupted', '"eth_fast"']);
  // The network sends them again, over the connection of the account.
  expect(await callAs('innocent')).toBe('"eth_fast"');
  started[0]!.finish();
  expect(await held).toBe('"eth_slow"');
  expect(node.handshakes).toHaveLength(3);
});

it('moves calls as often as slow calls of several accounts block them', async () => {
  const { started, callAs, pass, node } = await rig({ isSerial });
  const names = ['a', 'b', 'c', 'd'];
  const slow = names.map((name) => callAs(name, 'eth_slow'));
  let isAnswered = false;
  const waiting = callAs('other').finally(() => (isAnswered = true));
  await expect.poll(async () => (await pass(100), isAnswered)).toBe(true);
  expect(await waiting).toBe('"eth_fast"');
  expect(started.map(({ account }) => account)).toEqual(names);
  for (const { finish } of started) finish();
  expect(await Promise.all(slow)).toEqual(names.map(() => '"eth_slow"'));
  // The shared one, and one for each account.
  await expect.poll(async () => (await pass(1_000), node.sockets.size)).toBe(5);
});

it('opens no connection for slow calls that a node answers concurrently', async () => {
  const { node, started, callAs, pass, verified } = await rig({ isSerial: false });
  const slow = ['a', 'b'].map((name) => callAs(name, 'eth_slow'));
  await expect.poll(() => started.length).toBe(2);
  await pass(100_000);
  for (const { finish } of started) finish();
  await Promise.all(slow);
  expect(node.handshakes).toHaveLength(1);
  // Ever fewer tests: after 1, 2, 4, 8, 16, 32 and 60 seconds.
  expect(verified.length).toBeLessThanOrEqual(8);
});

it('leaves slow calls where they are while a probe waits, too, and other calls would not', async () => {
  const { node, started, callAs, pass, verified } = await rig({ isSerial: false });
  const slow = ['a', 'a', 'b', undefined].map((name) => callAs(name, 'eth_slow'));
  await expect.poll(() => started.length).toBe(4);
  await pass(10_000);
  for (const { finish } of started) finish();
  expect(await Promise.all(slow)).toEqual(slow.map(() => '"eth_slow"'));
  expect([started.length, node.handshakes.length]).toEqual([4, 1]);
  expect(verified.length).toBeLessThanOrEqual(11);
});
