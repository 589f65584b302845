/**
 * Limits on steps: for one question, for all questions together, and for each question after that total
 * is reached, so that small schemas can be decided even after a large one. Steps are counted the same on
 * every machine.
 */
const MAX_STEPS_PER_QUESTION = 12_000;
const MAX_STEPS = 150_000;
const MAX_LATE_STEPS_PER_QUESTION = 400;

/**
 * Limits on the parts of schemas and values that are looked at: a step of a wide schema looks at
 * thousands. `MAX_LATE_WORK` is the total for all questions after `MAX_WORK` is used up.
 */
const MAX_WORK_PER_QUESTION = 4_000_000;
const MAX_WORK = 20_000_000;
const MAX_LATE_WORK_PER_QUESTION = 20_000;
const MAX_LATE_WORK = 10_000_000;

export const TOO_MUCH_WORK =
  'the schemas are too intricate to be compared within a bounded number of steps';

/** The steps that are left for one question. */
export interface Budget {
  /** Returns false if none are left. */
  spend(steps: number): boolean;
  /**
   * Counts parts that are looked at.
   *
   * @throws WorkError if there are too many
   */
  work(parts: number): void;
  readonly isSpent: boolean;
}

/** Ends a question that looks at too many parts. */
export class WorkError extends Error {}

/**
 * Creates the budgets of one comparison: each call of the returned function returns the budget of the
 * next question.
 */
export function createBudgets(): () => Budget {
  let left = MAX_STEPS;
  let work = MAX_WORK;
  return () => {
    let own = left > 0 ? MAX_STEPS_PER_QUESTION : MAX_LATE_STEPS_PER_QUESTION;
    let ownWork = work > 0 ? MAX_WORK_PER_QUESTION : MAX_LATE_WORK_PER_QUESTION;
    const isWorkSpent = () => ownWork <= 0 || work <= -MAX_LATE_WORK;
    return {
      spend(steps) {
        own -= steps;
        left -= steps;
        return own > 0;
      },
      work(parts) {
        ownWork -= parts;
        work -= parts;
        if (isWorkSpent()) throw new WorkError(TOO_MUCH_WORK);
      },
      get isSpent() {
        return own <= 0 || isWorkSpent();
      },
    };
  };
}

/** Creates a budget that limits the number of parts, but not of steps. */
export function createAllowance(parts: number): Budget {
  let left = parts;
  return {
    spend: () => true,
    work(more) {
      left -= more;
      if (left < 0) throw new WorkError(TOO_MUCH_WORK);
    },
    isSpent: false,
  };
}
