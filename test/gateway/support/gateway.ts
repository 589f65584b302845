import type { Caller } from '../../../src/auth/caller.ts';
import { LeaseLedger } from '../../../src/credits/lease-ledger.ts';
import type { Ledger } from '../../../src/credits/ledger.ts';
import { RateLimit } from '../../../src/credits/rate-limit.ts';
import { createErrors, type ErrorCatalog } from '../../../src/errors/catalog.ts';
import { createGatewayBackend } from '../../../src/gateway/backend.ts';
import { throttle } from '../../../src/gateway/account-service.ts';
import { authorizeCall } from '../../../src/gateway/authenticator.ts';
import { methodTable } from '../../../src/gateway/method-table.ts';
import type { Protocol } from '../../../src/gateway/protocol.ts';
import { createRpc, type Rpc, type RpcLimits } from '../../../src/rpc/core.ts';
import { describeOtherFamily } from '../../../src/gateway/other-family.ts';
import { handleServiceMethods, serviceMethods } from '../../../src/gateway/service-methods.ts';
import type { UsageRow } from '../../../src/store/records.ts';
import { systemClock, type Clock } from '../../../src/time/clock.ts';
import type { Head } from '../../../src/upstream/health/probes.ts';
import type { Upstream, UpstreamOutcome } from '../../../src/upstream/upstream.ts';
import { memoryLeaseStore } from '../../credits/memory-store.ts';
import { ledgerLimits } from '../../credits/support.ts';
import { protocol } from './protocol.ts';

export const caller: Caller = {
  keyId: 'key-1',
  accountId: 'acme',
  plan: 'free',
  creditsPerDay: 10_000,
  callsPerSecond: 1_000,
  forwarding: false,
  allowed: { methods: undefined, networks: undefined, origins: undefined, contracts: undefined },
  expiresAt_ms: null,
};

export const rpcLimits: RpcLimits = {
  request_depth: 64,
  batch_calls: 1_000,
  batch_concurrency: 8,
  response_bytes: 4_000_000,
};

/** A gateway core over one upstream function and a store in memory. */
export interface TestCore {
  readonly rpc: Rpc<Caller>;
  readonly errors: ErrorCatalog;
  readonly ledger: Ledger;
  readonly rate: RateLimit;
  /** Usage as the store has it. */
  readonly rows: UsageRow[];
}

export interface CoreOptions {
  readonly family?: string;
  readonly head?: Head | null;
  /** The chain of the network; null: not known. */
  readonly identity?: string | null;
  readonly serviceMethods?: boolean;
  readonly now_ms?: () => number;
  /** The clock of the rate limit. */
  readonly monotonic_ms?: () => number;
  /** Replaces the document of the tests. */
  readonly protocol?: Protocol;
}

export function coreOver(upstream: Upstream, options: CoreOptions = {}): TestCore {
  const { family = 'evm', identity = '31337', serviceMethods: served = true } = options;
  const { head = { number: 16, gasLimit: 30_000_000n } } = options;
  const errors = createErrors(protocol.errors);
  const clock = { ...systemClock, now_ms: options.now_ms ?? systemClock.now_ms };
  const rate = new RateLimit(options.monotonic_ms ?? clock.monotonic_ms);
  const { ledger, rows } = openLedger(clock, rate);
  const { response_bytes } = rpcLimits;
  const backend = createGatewayBackend({
    forwardingPlans: ['team', 'custom'],
    upstream,
    head: () => head ?? undefined,
    ledger,
    errors,
    onUncanceled: () => undefined,
    response_bytes,
    stream_bytes: response_bytes,
  });
  const facts = {
    document: Buffer.from(protocol.document),
    version: protocol.version,
    identity: () => identity ?? undefined,
    head: () => head ?? undefined,
  };
  const rpc = createRpc({
    methods: new Map([
      ...methodTable(options.protocol ?? protocol, family),
      ...serviceMethods(protocol, { family, served }),
    ]),
    backend: handleServiceMethods(backend, facts, errors),
    describeMethod: describeOtherFamily(protocol, {
      family,
      networks: [{ name: 'solana', family: 'svm' }],
    }),
    errors,
    throttle: (who: Caller) => throttle({ rate, errors }, who),
    admit: (who: Caller, { method, params }) => authorizeCall(errors, who, { method, params }),
    limits: rpcLimits,
    monotonic_ms: clock.monotonic_ms,
    onError: () => undefined,
  });
  return { rpc, errors, ledger, rate, rows };
}

/** A ledger over a store in memory, in which every account has what its caller's plan says. */
function openLedger(clock: Clock, rate: RateLimit): Pick<TestCore, 'ledger' | 'rows'> {
  let creditsPerDay = 0;
  const { now_ms } = clock;
  const store = memoryLeaseStore({ now_ms, allowance: () => creditsPerDay });
  const leases = new LeaseLedger({
    store,
    clock,
    limits: ledgerLimits,
    callRates: rate,
    onFailure: () => undefined,
  });
  const ledger: Ledger = {
    reserve(spender, method, cost) {
      ({ creditsPerDay } = spender);
      return leases.reserve(spender, method, cost);
    },
    balance: (spender) => leases.balance(spender),
    usage(spender) {
      ({ creditsPerDay } = spender);
      return leases.usage(spender);
    },
    flush: () => leases.flush(),
  };
  return { ledger, rows: store.rows };
}

export interface Answered {
  readonly status: number;
  readonly body: { result?: unknown; error?: { code: number; message: string; data: unknown } };
  readonly credits: number;
}

export interface TestGateway {
  call(method: string, params: unknown, as?: Partial<Caller>): Promise<Answered>;
  /** What the upstream was sent: method and params, as text. */
  readonly sent: [method: string, params: string][];
  /** Usage as the store has it after a flush. */
  usage(): Promise<UsageRow[]>;
}

/** A gateway core over an upstream that answers `outcome`. */
export function gatewayOver(
  outcome: UpstreamOutcome | Upstream,
  options: CoreOptions = {},
): TestGateway {
  const sent: TestGateway['sent'] = [];
  const upstream: Upstream = (call, signal) => {
    sent.push([call.method, call.params.toString()]);
    return typeof outcome === 'function' ? outcome(call, signal) : Promise.resolve(outcome);
  };
  const now_ms = (): number => Date.parse('2026-11-21T12:00:00Z');
  const { rpc, ledger, rows } = coreOver(upstream, { now_ms, ...options });
  return {
    sent,
    async call(method, params, as = {}) {
      const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const message = rpc.read(Buffer.from(text));
      const context = { requestId: 'r-1', signal: new AbortController().signal };
      const answer = await rpc.answer(message, { ...caller, ...as }, context);
      answer.settle?.('complete');
      const body = JSON.parse(Buffer.concat(answer.body).toString()) as Answered['body'];
      return { status: answer.status, body, credits: answer.credits };
    },
    async usage() {
      await ledger.flush();
      return rows;
    },
  };
}
