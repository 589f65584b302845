import { hashOf } from './node/results.ts';

/** A request that callers send repeatedly. */
export interface Workload {
  readonly name: string;
  /** JSON text of a request. */
  readonly body: string;
  /** A smaller answer is an error. */
  readonly min_bytes: number;
  /** Whether an answer, parsed, is the right one. */
  readonly isRight: (answer: unknown) => boolean;
}

interface Answer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown };
}

function call(id: number, method: string, params: readonly unknown[]): object {
  return { jsonrpc: '2.0', id, method, params };
}

function isTransaction(answer: Answer, name: string): boolean {
  return (answer.result as { hash?: unknown } | undefined)?.hash === hashOf(name);
}

const BATCH = Array.from({ length: 20 }, (_, index) => `transaction ${index}`);

export const workloads: readonly Workload[] = [
  {
    name: 'small call',
    body: JSON.stringify(call(1, 'eth_getTransactionByHash', [hashOf('transaction')])),
    min_bytes: 900,
    isRight: (answer) => isTransaction(answer as Answer, 'transaction'),
  },
  {
    name: 'batch of 20',
    body: JSON.stringify(
      BATCH.map((name, index) => call(index, 'eth_getTransactionByHash', [hashOf(name)])),
    ),
    min_bytes: 18_000,
    isRight: (answer) =>
      Array.isArray(answer) &&
      BATCH.every((name, index) => isTransaction((answer as Answer[])[index] ?? {}, name)),
  },
  {
    name: 'large result',
    body: JSON.stringify(call(1, 'eth_getBlockReceipts', ['latest'])),
    min_bytes: 1_000_000,
    isRight: (answer) => ((answer as Answer).result as unknown[] | undefined)?.length === 640,
  },
  {
    name: 'invalid params',
    body: JSON.stringify(call(1, 'eth_getTransactionByHash', ['0xnot a hash'])),
    min_bytes: 50,
    isRight: (answer) => (answer as Answer).error?.code === -32602,
  },
];
