/** Libraries that npm does not have: fixtures hold the bytes that they send. */
import { expect } from 'vitest';
import { compilePointer } from '../../support/schemas.ts';
import type { RpcAnswer } from '../../support/wire.ts';
import { essenceOf, type Case } from '../cases.ts';
import rust from '../fixtures/solana-rust-client.json' with { type: 'json' };
import python from '../fixtures/web3-py.json' with { type: 'json' };
import type { Library } from '../library.ts';
import { connectTo, exchangeFrame, exchangeHttp, openWebSocket, withHost } from '../replay.ts';

const recordingOf = ({ method }: Pick<Case, 'method'>) =>
  python.calls.find((call) => call.method === method);

export const web3Py: Library = {
  name: 'web3.py',
  version: python.version,
  group: 'Ethereum libraries',
  source:
    'recorded from the packages that it sends them with (`requests` and `websockets`), with messages written from its source',
  without: {},
  functionOf: (method) => recordingOf({ method })?.function,
  async open(transport, url) {
    const socket = await connectTo(url);
    const isHttp = transport === 'http';
    if (!isHttp) await openWebSocket(socket, withHost(python.handshake, url));
    return {
      async run(asked) {
        const { http, frame } = recordingOf(asked)!;
        const answer = isHttp
          ? await exchangeHttp(socket, withHost(http, url))
          : await exchangeFrame(socket, Buffer.from(frame, 'hex'));
        expect(answer).not.toHaveProperty('error');
        const { result } = answer as RpcAnswer;
        expect(essenceOf({ ...asked, result: result as Case['result'] })).toEqual(essenceOf(asked));
      },
      close: () => void socket.destroy(),
    };
  },
};

const isProgramAccounts = compilePointer('/methods/0/result/schema');

export const rustClient: Library = {
  name: 'solana-rpc-client (Rust)',
  version: rust.version,
  group: 'Solana libraries',
  source: 'written from its source',
  without: { websocket: 'uses its WebSocket for subscriptions only' },
  functionOf: (method) => (method === 'getProgramAccounts' ? 'get_program_accounts' : undefined),
  async open(_, url) {
    const socket = await connectTo(url);
    return {
      async run() {
        for (const { body, name, accounts } of rust.requests) {
          const head = rust.head.replace('LENGTH', String(Buffer.byteLength(body)));
          const answer = (await exchangeHttp(socket, withHost(head + body, url))) as RpcAnswer;
          expect(isProgramAccounts(answer.result), name).toBe(true);
          const { result } = answer as { result: unknown[] | { value: unknown[] } };
          expect(Array.isArray(result) ? result : result.value, name).toHaveLength(accounts);
        }
      },
      close: () => void socket.destroy(),
    };
  },
};
