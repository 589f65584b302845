/** Holds calls in flight with one client, and prints what they take: `hold.ts NAME HOST CALLS`. */
import { openContender } from './contenders.ts';

const [name = '', host = '', calls = ''] = process.argv.slice(2);
const collect = (globalThis as { gc?: () => void }).gc;

const SETTLE_MS = 500;
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, SETTLE_MS));

function used(): number {
  collect?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const caller = openContender(name, host, 'WebSocket');
await caller.call('eth_getBlockByNumber', ['0x1', false]);
await pause();
const before = used();
// The server never answers this one.
for (let call = 0; call < Number(calls); call += 1) {
  caller.call('eth_getProof', [`0x${call.toString(16)}`]).catch(() => {});
}
await pause();
process.stdout.write(`${used() - before}\n`, () => process.exit());
