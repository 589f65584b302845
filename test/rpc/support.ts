import { createErrors, type RpcError } from '../../src/errors/catalog.ts';
import { err, ok } from '../../src/errors/result.ts';
import type { Backend, Charge, Method } from '../../src/rpc/call.ts';
import { createRpc, type RpcOptions } from '../../src/rpc/core.ts';
import { protocol } from '../gateway/support/protocol.ts';

export const errors = createErrors(protocol.errors);

export interface Reply {
  readonly status: number;
  /** Parsed; undefined when there is no body. */
  readonly body: unknown;
  readonly text: string;
  readonly credits: number;
}

/** A charge that records how it ended. */
export function trackedCharge(credits: number): Charge & { readonly ended: string[] } {
  const ended: string[] = [];
  return {
    credits,
    ended,
    settle: () => ended.push('settled'),
    release: () => ended.push('released'),
  };
}

const anything: Method['validateParams'] = () => [];
export const violationOf = (message: string): ReturnType<Method['validateParams']>[number] => ({
  pointer: '/0',
  param: 'a',
  keyword: 'type',
  expected: 'a number',
  message,
});

/** Methods: `echo` answers its params' bytes, `subtract` as in the specification's examples. */
const methods = new Map<string, Method>([
  ['echo', { name: 'echo', validateParams: anything }],
  ['subtract', { name: 'subtract', validateParams: anything }],
  [
    'numbers',
    {
      name: 'numbers',
      validateParams: (params) =>
        (params as unknown[])
          .filter((each) => typeof each !== 'number')
          .map(() => violationOf('a must be a number')),
    },
  ],
  ['fail', { name: 'fail', validateParams: anything }],
  ['throw', { name: 'throw', validateParams: anything }],
]);

const backend: Backend<Method, string> = async (call) => {
  if (call.method.name === 'fail') return err(errors.fromNode({ code: -32000, message: 'no' }));
  if (call.method.name === 'throw') throw new Error('secret');
  if (call.method.name !== 'subtract') return ok(call.rawParams);
  const [left, right] = call.params as [number, number];
  return ok(Buffer.from(String(left - right)));
};

/** Sends `text` through a core built of the methods above and `overrides`. */
export async function send(
  text: string | Buffer,
  overrides: Partial<RpcOptions<Method, string>> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Reply> {
  const rpc = createRpc<Method, string>({
    methods,
    backend,
    errors,
    limits: { request_depth: 64, batch_calls: 10, batch_concurrency: 3, response_bytes: 100_000 },
    monotonic_ms: () => performance.now(),
    onError: () => undefined,
    ...overrides,
  });
  const message = rpc.read(Buffer.from(text));
  const answer = await rpc.answer(message, 'caller', { requestId: 'r-1', signal });
  answer.settle?.('complete');
  const body = Buffer.concat(answer.body).toString();
  return {
    status: answer.status,
    text: body,
    body: body === '' ? undefined : (JSON.parse(body) as unknown),
    credits: answer.credits,
  };
}

export function errorOf(reply: Reply): RpcError & { data: { reason: string } } {
  return (reply.body as { error: RpcError & { data: { reason: string } } }).error;
}
