import type { Caller } from '../../../src/auth/caller.ts';
import { DailyLedger } from '../../../src/credits/daily-ledger.ts';
import { createErrors } from '../../../src/errors/catalogue.ts';
import { refuseCall } from '../../../src/gateway/admit.ts';
import { createGatewayBackend } from '../../../src/gateway/backend.ts';
import { answerDiscovery, withDiscovery } from '../../../src/gateway/discover.ts';
import { methodTable } from '../../../src/gateway/method-table.ts';
import { createRpc } from '../../../src/rpc/core.ts';
import type { UsageRow } from '../../../src/store/records.ts';
import type { Head } from '../../../src/upstream/probes.ts';
import type { Upstream, UpstreamOutcome } from '../../../src/upstream/upstream.ts';
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

/** The gateway's rooms behind the core, over an upstream that answers `outcome`. */
export function gatewayOver(
  outcome: UpstreamOutcome | Upstream,
  {
    family = 'evm',
    head = { number: 16, gasLimit: 30_000_000n },
  }: { family?: string; head?: Head | null } = {},
): TestGateway {
  const errors = createErrors(protocol.errors);
  const rows: UsageRow[] = [];
  const store = {
    addUsage: async (added: readonly UsageRow[]) => void rows.push(...added),
    usageOf: async () => rows,
    creditsSpent: async () => 0,
  };
  const clock = { now_ms: () => Date.parse('2026-11-21T12:00:00Z'), monotonic_ms: () => 0 };
  const ledger = new DailyLedger(store, clock, { usage_rows: 100, store_wait_ms: 1_000 });
  const sent: TestGateway['sent'] = [];
  const upstream: Upstream = (call, signal) => {
    sent.push([call.method, call.params.toString()]);
    return typeof outcome === 'function' ? outcome(call, signal) : Promise.resolve(outcome);
  };
  const response_bytes = 100_000;
  const backend = createGatewayBackend({
    upstream,
    head: () => head ?? undefined,
    ledger,
    errors,
    response_bytes,
  });
  const rpc = createRpc({
    methods: withDiscovery(methodTable(protocol, family)),
    backend: answerDiscovery(backend, Buffer.from(JSON.stringify(protocol.document))),
    errors,
    admit: (who: Caller, { method, params }) =>
      refuseCall(errors, who, { entry: method.entry, params }),
    limits: { request_depth: 64, batch_calls: 1_000, batch_concurrency: 8, response_bytes },
    monotonic_ms: () => 0,
    onFault: () => undefined,
  });
  return {
    sent,
    async call(method, params, as = {}) {
      const message = rpc.read(
        Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })),
      );
      const signal = new AbortController().signal;
      const answer = await rpc.answer(message, { ...caller, ...as }, { requestId: 'r-1', signal });
      const body = JSON.parse(Buffer.concat(answer.body).toString()) as Answered['body'];
      return { status: answer.status, body, credits: answer.credits };
    },
    async usage() {
      await ledger.flush();
      return rows;
    },
  };
}
