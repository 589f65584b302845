import type { Budget } from './routing/budget.ts';
import { failure, type Failure, type StreamingUpstream } from './upstream.ts';

const OUT_OF_BUDGET = failure('none', 'the call budget is spent');

/**
 * Counts calls against the budget. Those of accounts are checked again, because others may have spent it
 * while they were queued; probes always pass.
 */
export function withBudget(upstream: StreamingUpstream, budget: Budget): StreamingUpstream {
  return (call, signal) => {
    const { account, calls } = call;
    const isProbe = account === undefined && calls === undefined;
    const count = (): Failure | undefined => {
      if (!isProbe && budget.isExhaustedFor(account)) return OUT_OF_BUDGET;
      budget.spend(account);
      return undefined;
    };
    if (calls === undefined) {
      const failed = count();
      return failed === undefined ? upstream(call, signal) : Promise.resolve(failed);
    }
    const affordable = calls.filter((each) => {
      each.outcome = count();
      each.countRepeat = count;
      return each.outcome === undefined;
    });
    if (affordable.length === 0) return Promise.resolve(OUT_OF_BUDGET);
    return upstream({ ...call, calls: affordable }, signal);
  };
}
