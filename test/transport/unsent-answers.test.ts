import { describe, expect, it } from 'vitest';
import { ANSWER_BYTES, UnsentAnswers } from '../../src/transport/unsent-answers.ts';

/** Of answers in these tests, what they count for. */
const size = 1_000_000 - ANSWER_BYTES;

function unsentWithin(limits: Partial<Record<string, number>>) {
  const cut: string[] = [];
  const unsent = new UnsentAnswers(() => ({
    unsent_bytes: 10_000_000,
    unsent_account_bytes: 5_000_000,
    unsent_anonymous_bytes: 2_000_000,
    unsent_connection_bytes: 4_000_000,
    ...limits,
  }));
  const connection = (name: string) => ({
    cut: (cause: string) => void cut.push(`${name}: ${cause}`),
  });
  return { unsent, cut, connection };
}

describe('unsent answers', () => {
  it('are counted with their overhead until they are sent or dropped', () => {
    const { unsent, connection } = unsentWithin({});
    const held = unsent.hold(connection('a'), 'acme', size);
    expect(unsent.bytes).toBe(1_000_000);
    held.sent(100_000);
    expect(unsent.bytes).toBe(900_000);
    held.sent(size);
    expect(unsent.bytes).toBe(ANSWER_BYTES);
    held.release();
    held.release();
    held.sent(1);
    expect(unsent.bytes).toBe(0);
  });

  it('above the total cut the largest connection of the account with the largest share', () => {
    const { unsent, cut, connection } = unsentWithin({ unsent_bytes: 6_000_000 });
    // The oldest holder, which is within its share all the time.
    unsent.hold(connection('quiet'), 'quiet', size);
    const [small, large] = [connection('small'), connection('large')];
    unsent.hold(small, 'busy', size);
    for (let answer = 0; answer < 3; answer += 1) unsent.hold(large, 'busy', size);
    expect(cut).toEqual([]);
    unsent.hold(connection('anonymous'), undefined, size);
    unsent.hold(connection('other'), 'quiet', size);
    expect(cut).toEqual(['large: total_limit']);
    expect(unsent.bytes).toBe(4_000_000);
  });

  it('of anonymous callers have their own share: no account is cut for them', () => {
    const { unsent, cut, connection } = unsentWithin({ unsent_bytes: 3_000_000 });
    unsent.hold(connection('account'), 'acme', size);
    for (let caller = 1; caller <= 20; caller += 1) {
      unsent.hold(connection(`anonymous ${caller}`), undefined, size);
    }
    expect(unsent.anonymousBytes).toBe(2_000_000);
    expect(cut).toHaveLength(18);
    expect(new Set(cut.map((each) => each.replace(/\d+/, 'n')))).toEqual(
      new Set(['anonymous n: caller_limit']),
    );
  });

  it('of one account are bounded: its largest connection is cut', () => {
    const { unsent, cut, connection } = unsentWithin({});
    unsent.hold(connection('first'), 'acme', size);
    const large = connection('large');
    for (let answer = 0; answer < 3; answer += 1) unsent.hold(large, 'acme', size);
    unsent.hold(connection('last'), 'acme', 2 * size);
    expect(cut).toEqual(['large: caller_limit']);
  });

  it('of one connection are bounded', () => {
    const { unsent, cut, connection } = unsentWithin({ unsent_connection_bytes: 1_500_000 });
    const one = connection('one');
    unsent.hold(one, 'acme', size);
    unsent.hold(connection('another'), 'acme', size);
    expect(cut).toEqual([]);
    const late = unsent.hold(one, 'acme', size);
    expect(cut).toEqual(['one: caller_limit']);
    late.release();
    expect(unsent.bytes).toBe(1_000_000);
  });

  it('may exceed any bound one at a time', () => {
    const { unsent, cut, connection } = unsentWithin({});
    const held = unsent.hold(connection('one'), 'acme', 20_000_000);
    expect([unsent.bytes, cut]).toEqual([20_000_000 + ANSWER_BYTES, []]);
    held.release();
    expect(unsent.bytes).toBe(0);
  });
});
