/**
 * Limits on steps, which are counted alike on every machine: for one question, for all together, and for
 * each question that is asked after those. So a large schema leaves smaller ones decidable.
 */
const MAX_STEPS_PER_QUESTION = 12_000;
const MAX_STEPS = 150_000;
const MAX_LATE_STEPS_PER_QUESTION = 400;

/** The steps that are left for one question. */
export interface Budget {
  /** Returns false if none are left. */
  spend(steps: number): boolean;
  readonly isSpent: boolean;
}

/** Creates the budgets of one comparison; each call returns that of the next question. */
export function createBudgets(): () => Budget {
  let left = MAX_STEPS;
  return () => {
    let own = left > 0 ? MAX_STEPS_PER_QUESTION : MAX_LATE_STEPS_PER_QUESTION;
    return {
      spend(steps) {
        own -= steps;
        left -= steps;
        return own > 0;
      },
      get isSpent() {
        return own <= 0;
      },
    };
  };
}
