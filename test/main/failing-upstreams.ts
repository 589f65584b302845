import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Behavior } from '../upstream/fake-node.ts';
import { send } from '../upstream/stream-support.ts';

/** How an upstream fails or is slow, and what the caller gets if it is the only one. */
export interface UpstreamFailure {
  readonly name: string;
  readonly behave: Behavior;
  /** HTTP status, and reason of the error; `ok` for a result, `cut` for one that ends early. */
  readonly alone: readonly [status: number, reason: string];
  /** Whether the response is final, so that no other upstream is called. */
  readonly isFinal?: true;
  readonly asksForCooldown?: true;
  readonly limits?: Readonly<Record<string, number>>;
}

/** Short for an upstream that is to miss it; a good one on a busy machine must not. */
const hasty = { attempt_ms: 500 };
const small = { response_bytes: 1_000_000, stream_bytes: 1_000_000, stream_from_bytes: 100_000 };

const MEGABYTE = Buffer.alloc(1_000_000, 0x78);
const BODY_BYTES = 50 * MEGABYTE.length;

function fiftyMegabytes(hasLength: boolean): Behavior {
  return async ({ id }, response) => {
    const head = `{"jsonrpc":"2.0","id":${id},"result":"`;
    if (hasLength) response.setHeader('content-length', head.length + BODY_BYTES + 2);
    response.write(head);
    for (let sent = 0; sent < BODY_BYTES && !response.destroyed; sent += MEGABYTE.length) {
      await send(response, MEGABYTE);
    }
    response.end('"}');
    return undefined;
  };
}

export const upstreamFailures: readonly UpstreamFailure[] = [
  {
    name: 'times out',
    behave: () => new Promise(() => undefined),
    alone: [504, 'upstream_timeout'],
    limits: hasty,
  },
  {
    name: 'answers too slowly, a byte at a time',
    behave: async ({ id }, response) => {
      response.write(`{"id":${id},"result":[`);
      while (!response.destroyed) {
        await send(response, ' ');
        // Many more small chunks within the time limit would be refused.
        await sleep(5);
      }
      return undefined;
    },
    alone: [504, 'upstream_timeout'],
    limits: hasty,
  },
  {
    name: 'answers in pieces',
    behave: async ({ id }, response) => {
      for (const part of [`{"jsonrpc":"2.0",`, `"id":${id},"res`, `ult":"slow"`, '}']) {
        await send(response, part);
        await nextTurn();
      }
      response.end();
      return undefined;
    },
    alone: [200, 'ok'],
    isFinal: true,
  },
  {
    name: 'resets',
    behave: (_request, response) => void response.destroy(),
    alone: [503, 'no_upstream'],
  },
  {
    name: 'resets within its answer',
    behave: ({ id }, response) => {
      response.write(`{"id":${id},"result":[`, () => response.destroy());
      return new Promise(() => undefined);
    },
    alone: [503, 'no_upstream'],
  },
  {
    name: 'answers 500',
    behave: ({ id }, response) => void response.writeHead(500).end(`{"id":${id},"result":1}`),
    alone: [503, 'no_upstream'],
  },
  {
    name: 'answers 429',
    behave: ({ id }, response) =>
      void response.writeHead(429).end(`{"id":${id},"error":{"code":429,"message":"slow down"}}`),
    alone: [503, 'no_upstream'],
  },
  {
    name: 'answers 429 with the time to wait',
    behave: (_request, response) => void response.writeHead(429, { 'retry-after': '30' }).end(),
    alone: [503, 'no_upstream'],
    asksForCooldown: true,
  },
  {
    name: 'says with status 200 that it is rate limited',
    behave: ({ id }, response) =>
      void response.end(`{"id":${id},"error":{"code":-32005,"message":"limit exceeded"}}`),
    alone: [503, 'no_upstream'],
  },
  {
    name: 'answers HTML',
    behave: (_request, response) => void response.end('<html><body>It works!</body></html>'),
    alone: [502, 'invalid_upstream_response'],
  },
  {
    name: 'answers truncated JSON',
    behave: ({ id }, response) => void response.end(`{"jsonrpc":"2.0","id":${id},"result":{"a":[1`),
    alone: [502, 'invalid_upstream_response'],
  },
  {
    name: 'answers with a wrong id',
    behave: ({ id }, response) => void response.end(`{"id":${id + 1},"result":1}`),
    alone: [502, 'invalid_upstream_response'],
  },
  {
    name: 'answers 50 MB',
    behave: fiftyMegabytes(true),
    alone: [200, 'ok'],
    isFinal: true,
  },
  {
    name: 'answers 50 MB where 1 MB is the limit',
    behave: fiftyMegabytes(true),
    alone: [200, 'response_too_large'],
    isFinal: true,
    limits: small,
  },
  {
    name: 'answers 50 MB without a length, where 1 MB is the limit',
    behave: fiftyMegabytes(false),
    alone: [200, 'cut'],
    isFinal: true,
    limits: small,
  },
];
