import { block, receipts, transaction } from './results.ts';

interface Request {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

const RECEIPTS = JSON.stringify(receipts());
const BLOCK = JSON.stringify(block());
const HASH = '0'.repeat(64);
const [TRANSACTION_HEAD, TRANSACTION_TAIL] = JSON.stringify(transaction(`0x${HASH}`)).split(
  `0x${HASH}`,
) as [string, string];

/** Results by method, as JSON text that is ready in memory; null for params that are not valid. */
const results: Readonly<Record<string, (params: readonly unknown[]) => string | null>> = {
  eth_chainId: () => '"0x1"',
  eth_getBlockByNumber: () => BLOCK,
  eth_getBlockReceipts: () => RECEIPTS,
  eth_getTransactionByHash: ([hash]) =>
    typeof hash === 'string' && /^0x[\da-f]{64}$/.test(hash)
      ? TRANSACTION_HEAD + hash + TRANSACTION_TAIL
      : null,
};

/** The node's answer to a request or a batch, both as JSON text. */
export function answer(text: string): string {
  const message = JSON.parse(text) as Request | readonly Request[];
  return Array.isArray(message)
    ? `[${message.map(answerOne).join(',')}]`
    : answerOne(message as Request);
}

function answerOne({ id, method, params }: Request): string {
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},`;
  const result = results[method];
  if (result === undefined) return `${head}"error":{"code":-32601,"message":"no such method"}}`;
  const json = result(params);
  return json === null
    ? `${head}"error":{"code":-32602,"message":"invalid argument 0: not a hash"}}`
    : `${head}"result":${json}}`;
}
