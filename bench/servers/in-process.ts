// What the gateway does for a call besides sending and receiving bytes: validates the params, looks up
// the price, reserves the credits of a lease on SQLite, and charges them.
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { RateLimit } from '../../src/credits/rate-limit.ts';
import { defaultCreditLimits } from '../../src/credits/limits.ts';
import type { Refusal, Reservation } from '../../src/credits/ledger.ts';
import { LeaseLedger } from '../../src/credits/lease-ledger.ts';
import { methodTable } from '../../src/gateway/method-table.ts';
import { protocol } from '../../src/main/dependencies.ts';
import { openStore } from '../../src/store/store.ts';
import { systemClock } from '../../src/time/clock.ts';
import type { Sample } from '../measure.ts';
import { hashOf } from '../node/results.ts';
import { serveParent } from '../parent.ts';
import { BENCHMARK_ACCOUNT } from '../specgate-config.ts';
import { workloads } from '../workloads.ts';

/** Calls between two turns of the event loop, in which leases are renewed. */
const CALLS_PER_TURN = 1_000;

const { creditsPerDay, callsPerSecond } = BENCHMARK_ACCOUNT;
const accountId = 'benchmark';
const store = await openStore(join(process.argv[2]!, 'in-process.sqlite'));
await store.addPlans([{ name: 'custom', creditsPerDay, callsPerSecond, forwarding: false }]);
await store.putAccount({ id: accountId, ...BENCHMARK_ACCOUNT });
const { lease_ttl_ms: ttl_ms, store_wait_ms, waiting_calls, lease_tick_ms } = defaultCreditLimits;
const prices = Object.values(protocol.methods).map(({ credits }) => credits);
const ledger = new LeaseLedger({
  store,
  clock: systemClock,
  limits: { ttl_ms, store_wait_ms, waiting_calls, max_call_credits: Math.max(...prices) },
  callRates: new RateLimit(() => systemClock.monotonic_ms()),
  onFailure: (error) => console.error(error),
});
setInterval(() => ledger.renewDue(), lease_tick_ms);

const { method: name } = JSON.parse(workloads[0]!.body) as { method: string };
/** Many, because the runtime remembers what a regular expression found in the last text. */
const params = Array.from({ length: 1_024 }, (_, index) => [hashOf(String(index))]);
let calls = 0;
const { entry, validateParams } = methodTable(protocol, 'evm').get(name)!;
const spender = { accountId, keyId: 'key-1', creditsPerDay };

function settle(charge: Reservation | Refusal): void {
  if ('reason' in charge) throw new Error(`no credits: ${charge.reason}`);
  charge.settle();
}

/** Returns a promise only where the store has to be asked, as the gateway waits only then. */
function callOnce(): Promise<void> | undefined {
  calls += 1;
  if (validateParams(params[calls % params.length]).length > 0)
    throw new Error('the params are not valid');
  const reserving = ledger.reserve(spender, entry.name, entry.credits);
  if (reserving instanceof Promise) return reserving.then(settle);
  settle(reserving);
  return undefined;
}

serveParent({
  async run(window_ms: number): Promise<Sample> {
    const started_ms = performance.now();
    const before = process.cpuUsage();
    let requests = 0;
    while (performance.now() - started_ms < window_ms) {
      for (let index = 0; index < CALLS_PER_TURN; index += 1) {
        const waiting = callOnce();
        if (waiting !== undefined) await waiting;
      }
      requests += CALLS_PER_TURN;
      await nextTurn();
    }
    const elapsed_ms = performance.now() - started_ms;
    const { user, system } = process.cpuUsage(before);
    const each_ms = elapsed_ms / requests;
    return {
      cpu_us_per_request: (user + system) / requests,
      requests_per_s: (requests * 1000) / elapsed_ms,
      p50_ms: each_ms,
      p99_ms: each_ms,
    };
  },
});
