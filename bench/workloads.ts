import { hashOf } from './node/results.ts';

/** A request that callers send repeatedly. */
export interface Workload {
  readonly name: string;
  /** How callers are connected; by HTTP unless stated. `none`: the functions are called directly. */
  readonly transport?: 'webSocket' | 'none';
  /** Callers send at a fixed rate: half of what the slowest server of the workload can answer. */
  readonly isHalfLoad?: boolean;
  /** JSON text of a request. */
  readonly body: string;
  /** Callers repeat the same request; otherwise each asks for another hash or block. */
  readonly isRepeated?: boolean;
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

const SMALL_CALL = {
  body: JSON.stringify(call(1, 'eth_getTransactionByHash', [hashOf('transaction')])),
  min_bytes: 900,
  isRight: (answer: unknown) => isTransaction(answer as Answer, 'transaction'),
};

export const workloads: readonly Workload[] = [
  { name: 'small call', ...SMALL_CALL },
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
    name: '1 MB result',
    body: JSON.stringify(call(1, 'eth_getBlockReceipts', ['0x1000000'])),
    min_bytes: 1_000_000,
    isRight: (answer) => ((answer as Answer).result as unknown[] | undefined)?.length === 640,
  },
  {
    name: 'invalid params',
    body: JSON.stringify(call(1, 'eth_getTransactionByHash', ['0xnot a hash'])),
    min_bytes: 50,
    isRight: (answer) => (answer as Answer).error?.code === -32602,
  },
  { name: 'caller on WebSocket', transport: 'webSocket', ...SMALL_CALL },
  { name: 'answered from the cache', isRepeated: true, ...SMALL_CALL },
  { name: 'half load', isHalfLoad: true, ...SMALL_CALL },
  { name: 'validate + price + reserve', transport: 'none', ...SMALL_CALL },
];
