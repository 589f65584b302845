import type { Json } from '../../../common/json/value.ts';
import type { VerifiedMethod } from '../contract.ts';
import { callProbe, callText, outcomeOf } from '../message.ts';
import type { Phase } from '../phase.ts';
import type { Session } from '../session.ts';
import { baseParams } from '../params.ts';

/**
 * Calls each method with valid and with invalid params, alone and in a batch. The check of the cost
 * applies to every call over HTTP; this phase only sees to it that there are such calls.
 */
export const metering: Phase = {
  id: 'metering',
  title: 'the cost of valid calls, rejected calls and batches',
  async run(session) {
    const { contract, transports } = session;
    if (contract.costHeader === null || !transports.includes('http')) return;
    for (const method of contract.methods) {
      const params = baseParams(method, session.seeds);
      if (params === undefined) continue;
      for (const each of [params, [{}, {}, {}, {}, {}, {}]]) {
        const says = { title: 'the cost of a call', pointer: method.pointer, id: session.nextId() };
        await session.check(callProbe(method, each, says), 'http');
      }
      await session.check(batchOf(session, method, params), 'http');
    }
  },
};

function batchOf(session: Session, method: VerifiedMethod, params: Json) {
  const ids = [session.nextId(), session.nextId()];
  return {
    title: 'the cost of a batch',
    method,
    pointer: method.pointer,
    body: `[${ids.map((id) => callText(method.name, params, id)).join(',')}]`,
    expects: {
      isBatch: true,
      responses: ids.map((id) => ({ id, outcome: outcomeOf(method, params) })),
    },
  };
}
