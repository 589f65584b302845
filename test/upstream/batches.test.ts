import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { BatchMode } from '../../src/upstream/http/batches.ts';
import { openUpstream } from '../../src/upstream/open-upstream.ts';
import type { StreamingUpstream, UpstreamCall } from '../../src/upstream/upstream.ts';
import { withJoining } from '../../src/upstream/with-joining.ts';
import { fakeClock } from './clock.ts';
import { probeAnswer } from './probe-answer.ts';
import { callOf, limits, startNetwork, textOf } from './support.ts';

interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

type Message = Request | readonly Request[];

const answerTo = ({ id, params }: Request): object => ({ jsonrpc: '2.0', id, result: params[0] });

/** A node that answers by `respond`; `messages` are those it received. */
async function startNode(respond: (message: Message, response: ServerResponse) => void) {
  const messages: Message[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const message = JSON.parse(Buffer.concat(chunks).toString()) as Message;
      messages.push(message);
      respond(message, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`), messages };
}

/** A node that takes batches, apart from what `respond` answers itself. */
function startBatchNode(respond: (message: Message, response: ServerResponse) => boolean) {
  return startNode((message, response) => {
    if (respond(message, response)) return;
    const answers = 'id' in message ? answerTo(message) : message.map(answerTo).toReversed();
    response.end(JSON.stringify(answers));
  });
}

function isBatch(message: Message): message is readonly Request[] {
  return Array.isArray(message);
}

function open(url: URL, batch?: BatchMode, more: Partial<UpstreamCall> = {}) {
  const clock = fakeClock();
  const upstream = openUpstream(
    { url, headers: {}, ...(batch && { batch }) },
    { limits, clock, startTimer: clock.startTimer },
  );
  onTestFinished(() => upstream.close());
  const { signal } = new AbortController();
  const joined = withJoining(upstream.call, 32);
  const call: StreamingUpstream = (each, given) => joined(each, given, limits.attempt_ms);
  /** Calls a method for each param, all as parts of one batch. */
  const callAll = (method: string, params: readonly number[], given = signal) => {
    const batch = {};
    const calls = params.map((param) =>
      call(callOf(method, `[${param}]`, { batch, ...more }), given),
    );
    return Promise.all(calls.map(async (each) => textOf(await each)));
  };
  return { clock, call, callAll, signal };
}

describe('the calls of a batch', () => {
  it('are sent to an HTTP upstream as one, and matched by id', async () => {
    const { url, messages } = await startBatchNode(() => false);
    const { callAll } = open(url);
    expect(await callAll('eth_test', [1, 2, 3])).toEqual(['1', '2', '3']);
    expect(messages.map((message) => isBatch(message) && message.length)).toEqual([3]);
  });

  it('are sent with others of the same batch only, at most 32 at a time', async () => {
    const { url, messages } = await startBatchNode(() => false);
    const { call, callAll, signal } = open(url);
    const many = Array.from({ length: 40 }, (_, index) => index);
    const alone = call(callOf('eth_test', '[7]'), signal);
    const [first, second] = await Promise.all([callAll('eth_test', many), callAll('eth_a', [5])]);
    expect([first, second, textOf(await alone)]).toEqual([many.map(String), ['5'], '7']);
    const sizes = messages.map((message) => (isBatch(message) ? message.length : 1));
    expect(sizes.toSorted((left, right) => left - right)).toEqual([1, 1, 8, 32]);
  });

  it('are not shared by calls of others, since they wait for the slowest of the batch', async () => {
    const { url } = await startBatchNode(() => false);
    const { call, signal } = open(url);
    const sent: string[] = [];
    const callAs = (name: string, batch?: object) =>
      call(
        callOf('eth_test', '[1]', { ...(batch && { batch }), onSent: () => sent.push(name) }),
        signal,
      );
    const batch = {};
    await Promise.all([callAs('first', batch), callAs('second', batch), callAs('alone')]);
    expect(sent).toEqual(['alone']);
  });

  it('keep the errors of the node apart', async () => {
    const { url } = await startBatchNode((message, response) => {
      if (!isBatch(message)) return false;
      const error = { code: -32000, message: 'header not found' };
      const [first, ...others] = message;
      response.end(
        JSON.stringify([{ jsonrpc: '2.0', id: first!.id, error }, ...others.map(answerTo)]),
      );
      return true;
    });
    expect(await open(url).callAll('eth_test', [1, 2])).toEqual(['error -32000', '2']);
  });

  it('are sent again alone where a response is missing or unusable', async () => {
    const { url, messages } = await startBatchNode((message, response) => {
      if (!isBatch(message)) return false;
      const [, second, third] = message;
      const unusable = { jsonrpc: '2.0', id: third!.id };
      response.end(JSON.stringify([unusable, answerTo(second!), { id: 'odd', result: 1 }, 5]));
      return true;
    });
    const { callAll } = open(url);
    expect(await callAll('eth_test', [1, 2, 3])).toEqual(['1', '2', '3']);
    expect(messages.slice(1).map((each) => 'params' in each && each.params)).toEqual([[1], [3]]);
    await callAll('eth_test', [4, 5, 6]);
    expect(messages.filter(isBatch)).toHaveLength(2);
  });

  const refusals: [what: string, refuse: (response: ServerResponse) => void][] = [
    [
      'an error object',
      (response) =>
        response.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no batches"}}'),
    ],
    ['status 400', (response) => response.writeHead(400).end('no batches')],
    ['status 413', (response) => response.writeHead(413).end()],
    ['HTML', (response) => response.end('<html>')],
    ['truncated JSON', (response) => response.end('[{"jsonrpc":"2.0"')],
    ['an empty array', (response) => response.end('[]')],
    [
      'far more responses than calls',
      (response) => {
        const responses = Array.from({ length: 65 }, (_, id) => ({
          jsonrpc: '2.0',
          id,
          result: 9,
        }));
        response.end(JSON.stringify(responses));
      },
    ],
  ];

  it.each(refusals)(
    'are sent alone for a minute after a batch was answered with %s',
    async (...row) => {
      const [, refuse] = row;
      const { url, messages } = await startBatchNode((message, response) => {
        if (isBatch(message)) refuse(response);
        return isBatch(message);
      });
      const { clock, callAll } = open(url);
      for (const params of [
        [1, 2],
        [3, 4],
      ]) {
        expect(await callAll('eth_test', params)).toEqual(params.map(String));
      }
      expect(messages.map(isBatch)).toEqual([true, false, false, false, false]);
      clock.pass(60_000);
      await callAll('eth_test', [5, 6]);
      expect(messages.filter(isBatch)).toHaveLength(2);
    },
  );

  it('fail together when the node fails', async () => {
    const { url, messages } = await startBatchNode((_message, response) => {
      response.writeHead(503).end();
      return true;
    });
    expect(await open(url).callAll('eth_test', [1, 2])).toEqual(['status', 'status']);
    expect(messages).toHaveLength(1);
  });

  it('are sent alone, and those of their method from then on, if the response is too large', async () => {
    const { url, messages } = await startBatchNode((message, response) => {
      const isLarge = isBatch(message) && message[0]!.method === 'eth_large';
      if (isLarge) response.end(`[${'0,'.repeat(600_000)}0]`);
      return isLarge;
    });
    const { callAll } = open(url);
    expect(await callAll('eth_large', [1, 2])).toEqual(['1', '2']);
    expect(await callAll('eth_large', [3, 4])).toEqual(['3', '4']);
    expect(await callAll('eth_small', [5, 6])).toEqual(['5', '6']);
    expect(messages.map(isBatch)).toEqual([true, false, false, false, false, true]);
  });

  it('are answered by a slow response, and those of their method are sent alone from then on', async () => {
    const slow: (() => void)[] = [];
    const { url, messages } = await startBatchNode((message, response) => {
      if (!isBatch(message)) return false;
      return slow.push(() => response.end(JSON.stringify(message.map(answerTo)))) > 0;
    });
    const { clock, callAll } = open(url);
    const sendBatch = async (params: readonly number[], took_ms: number): Promise<string[]> => {
      const before = slow.length;
      const calls = callAll('eth_test', params);
      await expect.poll(() => slow).toHaveLength(before + 1);
      clock.pass(took_ms);
      slow.at(-1)!();
      return calls;
    };
    const slow_ms = limits.attempt_ms / 3;
    // The time doubles, until a response is fast.
    for (const alone_ms of [60_000, 120_000]) {
      expect(await sendBatch([1, 2], slow_ms)).toEqual(['1', '2']);
      clock.pass(alone_ms - 1);
      messages.length = 0;
      expect(await callAll('eth_test', [3, 4])).toEqual(['3', '4']);
      expect(messages.map(isBatch)).toEqual([false, false]);
      clock.pass(1);
    }
    expect(await sendBatch([5, 6], slow_ms - 1)).toEqual(['5', '6']);
    expect(await sendBatch([7, 8], slow_ms)).toEqual(['7', '8']);
    clock.pass(60_000);
    expect(await sendBatch([9, 10], 0)).toEqual(['9', '10']);
  });

  it.each([
    ['', false],
    [', even if their caller has left', true],
  ])(
    'are sent to the only node again, one by one, after the batch has timed out%s',
    async (_, leaves) => {
      const { url, messages } = await startBatchNode((message, response) => {
        if (isBatch(message)) return message[0]!.method === 'eth_test';
        const known = probeAnswer({ ...message, params: [...message.params] });
        if (known !== undefined)
          response.end(`{"jsonrpc":"2.0","id":${message.id},"result":${known}}`);
        return known !== undefined;
      });
      const network = await startNetwork([url], {
        limits: { attempt_ms: 100, probe_interval_ms: 60_000, call_deadline_ms: 60_000 },
      });
      const { signal } = new AbortController();
      const batch = {};
      const caller = new AbortController();
      const calls = [1, 2].map((param) =>
        network.stream(
          callOf('eth_test', `[${param}]`, { batch, abandoned: caller.signal }),
          signal,
        ),
      );
      await expect.poll(() => messages.some(isBatch)).toBe(true);
      if (leaves) caller.abort();
      expect((await Promise.all(calls)).map(textOf)).toEqual(['1', '2']);
      const sent = messages.filter((each) => isBatch(each) || each.method === 'eth_test');
      expect(sent.map(isBatch)).toEqual([true, false, false]);
    },
  );

  it('end when their caller leaves', async () => {
    const { url, messages } = await startBatchNode(isBatch);
    const { callAll } = open(url);
    const caller = new AbortController();
    const calls = callAll('eth_test', [1, 2], caller.signal);
    await expect.poll(() => messages).toHaveLength(1);
    caller.abort();
    expect(await calls).toEqual(['aborted', 'aborted']);
    expect(messages).toHaveLength(1);
  });

  it('are always sent as a batch, or never, if the operator says so', async () => {
    const { url, messages } = await startBatchNode((message, response) => {
      if (isBatch(message)) response.writeHead(400).end();
      return isBatch(message);
    });
    const on = open(url, 'on');
    for (let round = 0; round < 2; round += 1) await on.callAll('eth_test', [1, 2]);
    expect(messages.filter(isBatch)).toHaveLength(2);
    await open(url, 'off').callAll('eth_test', [1, 2]);
    expect(messages.filter(isBatch)).toHaveLength(2);
  });
});

it('calls that are sent again count against the budget of the node again', async () => {
  const { url, messages } = await startNode((message, response) => {
    if (isBatch(message)) return void response.end(JSON.stringify([answerTo(message[0]!)]));
    const known = probeAnswer({ ...message, params: [...message.params] });
    const result: unknown = known === undefined ? message.params[0] : JSON.parse(known);
    return void response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
  });
  // Two probes, four calls, and one of them again.
  const network = await startNetwork([url], {
    nodes: [{ budget: { callsPerDay: 7 } }],
    limits: { probe_interval_ms: 60_000, upstream_calls_in_flight: 8, upstream_connections: 8 },
  });
  expect(network.status()[0]!.callsLeftToday).toBe(5);
  const { signal } = new AbortController();
  const batch = {};
  const calls = [1, 2, 3, 4].map((param) =>
    network.stream(callOf('eth_test', `[${param}]`, { batch }), signal),
  );
  expect((await Promise.all(calls)).map(textOf)).toEqual(['1', '2', 'none', 'none']);
  expect(messages.filter((each) => 'params' in each && each.method === 'eth_test')).toHaveLength(1);
  expect(network.status()[0]!.callsLeftToday).toBe(0);
});
