import { setTimeout as pause } from 'node:timers/promises';
import type { VerifiedMethod } from '../contract.ts';
import { costOfAnswer } from '../error-catalog.ts';
import { batchProbe, callProbe, type Probe, type TransportName } from '../message.ts';
import type { Phase } from '../phase.ts';
import type { Session } from '../session.ts';
import { baseParams } from '../params.ts';

/**
 * Calls each method with valid and with invalid params, alone and in a batch. The check of the cost
 * in the header applies to every call over HTTP. The usage of the account also shows what calls over
 * WebSocket cost.
 */
export const metering: Phase = {
  id: 'metering',
  title: 'the cost of valid calls, rejected calls and batches',
  async run(session) {
    const { contract, transports } = session;
    if (!transports.includes('http')) return;
    if (contract.costHeader !== null) {
      for (const probe of contract.methods.flatMap((method) => probesOf(session, method))) {
        await session.check(probe, 'http');
      }
    }
    let used = await session.readUsage();
    for (const transport of transports) {
      for (const [index, method] of contract.methods.entries()) {
        const probes = probesOf(session, method);
        // Reading the usage costs a call, so one rejected call and one batch are enough.
        for (const probe of index === 0 ? probes : probes.slice(0, 1)) {
          if (used === null) return;
          used = await checkUsage(session, { probe, used }, transport);
        }
      }
    }
  },
};

function probesOf(session: Session, method: VerifiedMethod): readonly Probe[] {
  const params = baseParams(method, session.seeds);
  if (params === undefined) return [];
  const calls = [params, [{}, {}, {}, {}, {}, {}]].map((each) =>
    callProbe(method, each, { title: 'the cost of a call', id: session.nextId() }),
  );
  const twice = [0, 1].map(() => ({ id: session.nextId(), params }));
  return [...calls, batchProbe(method, 'the cost of a batch', twice)];
}

/** How often a call is sent if its cost differs, because other callers may use the account too. */
const MAX_MEASUREMENTS = 3;

interface Measurement {
  readonly probe: Probe;
  /** Used credits, as read last. */
  readonly used: number;
}

/** Compares the cost of a probe with what the usage of the account grows by; returns the usage. */
async function checkUsage(
  session: Session,
  { probe, used }: Measurement,
  transport: TransportName,
): Promise<number | null> {
  const growths = new Set<number>();
  let before = used;
  for (let count = 1; ; count += 1) {
    const { answer, failures } = await session.check(probe, transport);
    const isMeasured = failures.length === 0;
    const wanted = isMeasured ? costOfAnswer(session.contract, probe, answer) : undefined;
    const after = await readUntil(session, before + (wanted ?? 0));
    if (after === null || wanted === undefined) return after;
    const grown = after - before;
    before = after;
    // The usage starts at zero again on the next day.
    if (grown < 0 || grown === wanted) return after;
    growths.add(grown);
    // A larger growth may come from other callers, whose calls do not always cost the same.
    if (grown > wanted && count < MAX_MEASUREMENTS) continue;
    if (grown > wanted && growths.size > 1) return after;
    const message = `expected the usage of the account to grow by ${wanted}, got ${grown}`;
    session.report({ check: 'cost-charged', message, probe, answer });
    return after;
  }
}

/** A service may need a moment to count a call. */
const MAX_READS = 10;
const READ_INTERVAL_MS = 100;

/** Returns the used credits as soon as they are at least `wanted`, or the last that were read. */
async function readUntil(session: Session, wanted: number): Promise<number | null> {
  for (let read = 1; ; read += 1) {
    const used = await session.readUsage();
    if (used === null || used >= wanted || read === MAX_READS) return used;
    await pause(READ_INTERVAL_MS);
  }
}
