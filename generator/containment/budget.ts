/** A count of work that may be done; what counts, is counted the same on every machine. */
export interface Budget {
  /** False when there is nothing left. */
  spend(steps: number): boolean;
  readonly isSpent: boolean;
}

/** Steps of the search for one answer, and for all the answers of one comparison. */
const MAX_STEPS_PER_QUESTION = 12_000;
const MAX_STEPS = 150_000;

export interface Budgets {
  /** The budget of the next question. */
  next(): Budget;
}

export function createBudgets(): Budgets {
  let left = MAX_STEPS;
  return {
    next() {
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
    },
  };
}
