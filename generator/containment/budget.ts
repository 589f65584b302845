/** Limits on steps, which are counted alike on every machine: for one answer, and for all answers. */
const MAX_STEPS_PER_QUESTION = 12_000;
const MAX_STEPS = 150_000;

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
    let own = MAX_STEPS_PER_QUESTION;
    return {
      spend(steps) {
        own -= steps;
        left -= steps;
        return own > 0 && left > 0;
      },
      get isSpent() {
        return own <= 0 || left <= 0;
      },
    };
  };
}
