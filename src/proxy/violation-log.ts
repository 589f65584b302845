import type { Violation } from '../../common/validators-runtime/violations.js';

export type Side = 'request' | 'response';

export interface SeenViolation {
  /** Null if the request itself is invalid. */
  readonly method: string | null;
  readonly side: Side;
  /** JSON pointer (RFC 6901) into params or the result, with `*` for array indices. */
  readonly pointer: string;
  readonly keyword: string;
  /** Message of the first occurrence. */
  readonly message: string;
  count: number;
}

export interface ViolationReport {
  readonly calls: number;
  readonly violations: readonly SeenViolation[];
  /** Violations beyond the maximum number of kinds. */
  readonly other: number;
}

/** Maximum number of distinct violations. */
const MAX_KINDS = 1_000;

/** Maximum length of a text in a report; names in the request or response may have any length. */
const MAX_LENGTH = 500;

/** A violation; `kind` separates different violations of one keyword at one place. */
export interface NotedViolation extends Pick<Violation, 'pointer' | 'keyword' | 'message'> {
  readonly kind?: string;
}

/** Counts violations by method, side, pointer and keyword. */
export class ViolationLog {
  readonly #onFirst: (violation: SeenViolation) => void;
  readonly #seen = new Map<string, SeenViolation>();
  #other = 0;
  #calls = 0;

  /** `onFirst` is called for the first violation of each kind. */
  constructor(onFirst: (violation: SeenViolation) => void) {
    this.#onFirst = onFirst;
  }

  addCall(): void {
    this.#calls += 1;
  }

  add(name: string | null, side: Side, violation: NotedViolation): void {
    const { keyword, kind = '' } = violation;
    const method = name === null ? null : shorten(name);
    const pointer = withoutIndices(shorten(violation.pointer), side);
    const message = shorten(violation.message);
    const key = JSON.stringify([method, side, pointer, keyword, shorten(kind)]);
    const known = this.#seen.get(key);
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    if (this.#seen.size >= MAX_KINDS) {
      this.#other += 1;
      return;
    }
    const first: SeenViolation = { method, side, pointer, keyword, message, count: 1 };
    this.#seen.set(key, first);
    this.#onFirst(first);
  }

  /** Returns the violations sorted by method and pointer. */
  report(): ViolationReport {
    const violations = [...this.#seen.values()].toSorted(
      (left, right) =>
        compare(left.method ?? '', right.method ?? '') ||
        compare(left.side, right.side) ||
        compare(left.pointer, right.pointer),
    );
    return { calls: this.#calls, violations, other: this.#other };
  }
}

/** Truncates a text. The result is a copy, since a slice would keep the whole text in memory. */
function shorten(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${Buffer.from(text.slice(0, MAX_LENGTH)).toString()}…`;
}

/** Replaces array indices, except the first one in params, which is the index of the parameter. */
function withoutIndices(pointer: string, side: Side): string {
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
