import { batchProbe, callProbe, type Probe } from '../message.ts';
import type { VerifiedMethod } from '../contract.ts';
import type { Phase } from '../phase.ts';
import type { Session } from '../session.ts';

/** Maximum number of calls in a batch. */
const MAX_BATCH = 20;

/** Calls every example pairing alone, then all of a method in a batch, then alone again. */
export const examples: Phase = {
  id: 'examples',
  title: 'the calls of the example pairings',
  async run(session) {
    const { methods } = session.contract;
    await callAll(session);
    for (const method of methods) {
      if (method.examples.length > 0) await session.checkOnAll(batchOf(session, method));
    }
    // Again, because a server may respond wrongly only now and then.
    await callAll(session);
  },
};

async function callAll(session: Session): Promise<void> {
  for (const method of session.contract.methods) {
    for (const example of method.examples) {
      for (const transport of session.transports) {
        const { params, name, pointer } = example;
        const title = `example "${name}"`;
        const says = { title, pointer, example, id: session.nextId() };
        await session.check(callProbe(method, params, says), transport);
      }
    }
  }
}

function batchOf(session: Session, method: VerifiedMethod): Probe {
  const calls = method.examples.slice(0, MAX_BATCH).map((example) => {
    return { id: session.nextId(), params: example.params, example };
  });
  return batchProbe(method, 'all examples in a batch', calls);
}
