import type { Violation } from '../../common/validators-runtime/violations.js';

/** What broke the document. */
export type Side = 'request' | 'response';

export interface SeenViolation {
  /** Null for what is no request at all. */
  readonly method: string | null;
  readonly side: Side;
  /** RFC 6901, into params or the result, with `*` for the indexes of arrays. */
  readonly pointer: string;
  readonly keyword: string;
  /** Of the first one seen. */
  readonly message: string;
  count: number;
}

export interface ViolationReport {
  readonly calls: number;
  readonly violations: readonly SeenViolation[];
  /** Violations of kinds that were not kept apart. */
  readonly beyond: number;
}

/** Kinds of violations that are kept apart; what is beyond is only counted. */
const MOST_KINDS = 1_000;

/** What is told of a violation; `kind` keeps apart what breaks one keyword in one place in two ways. */
export interface NotedViolation extends Pick<Violation, 'pointer' | 'keyword' | 'message'> {
  readonly kind?: string;
}

/** Counts violations by method, side, place and keyword. */
export class ViolationLog {
  readonly #onFirst: (violation: SeenViolation) => void;
  readonly #seen = new Map<string, SeenViolation>();
  #beyond = 0;
  #calls = 0;

  /** `onFirst` hears of a violation when it is the first of its kind. */
  constructor(onFirst: (violation: SeenViolation) => void) {
    this.#onFirst = onFirst;
  }

  addCall(): void {
    this.#calls += 1;
  }

  add(method: string | null, side: Side, violation: NotedViolation): void {
    const { keyword, message, kind = '' } = violation;
    const pointer = withoutIndexes(violation.pointer, side);
    const key = JSON.stringify([method, side, pointer, keyword, kind]);
    const known = this.#seen.get(key);
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    if (this.#seen.size >= MOST_KINDS) {
      this.#beyond += 1;
      return;
    }
    const first: SeenViolation = { method, side, pointer, keyword, message, count: 1 };
    this.#seen.set(key, first);
    this.#onFirst(first);
  }

  /** By method and place. */
  report(): ViolationReport {
    const violations = [...this.#seen.values()].toSorted(
      (left, right) =>
        compare(left.method ?? '', right.method ?? '') ||
        compare(left.side, right.side) ||
        compare(left.pointer, right.pointer),
    );
    return { calls: this.#calls, violations, beyond: this.#beyond };
  }
}

/** Elements of one array break a schema alike; the first number in params is the parameter's own. */
function withoutIndexes(pointer: string, side: Side): string {
  const tokens = pointer.split('/');
  return tokens
    .map((token, index) => {
      const isParameter = side === 'request' && index === 1;
      return /^\d+$/.test(token) && !isParameter ? '*' : token;
    })
    .join('/');
}

function compare(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
