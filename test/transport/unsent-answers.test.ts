import { describe, expect, it } from 'vitest';
import { UnsentAnswers } from '../../src/transport/unsent-answers.ts';

describe('answers not yet sent', () => {
  it('are held within a bound: those that wait longest make room', () => {
    const cut: number[] = [];
    const unsent = new UnsentAnswers(100);
    const release = [1, 2, 3].map((name) => unsent.hold(30, () => cut.push(name)));
    expect([unsent.bytes, cut]).toEqual([90, []]);
    release[1]!();
    release[1]!();
    expect(unsent.bytes).toBe(60);
    unsent.hold(40, () => cut.push(4));
    expect([unsent.bytes, cut]).toEqual([100, []]);
    unsent.hold(50, () => cut.push(5));
    expect([unsent.bytes, cut]).toEqual([90, [1, 3]]);
    release[0]!();
    expect(unsent.bytes).toBe(90);
  });

  it('may be larger than the bound one at a time', () => {
    const cut: number[] = [];
    const unsent = new UnsentAnswers(100);
    unsent.hold(10, () => cut.push(1));
    const release = unsent.hold(500, () => cut.push(2));
    expect([unsent.bytes, cut]).toEqual([500, [1]]);
    release();
    expect(unsent.bytes).toBe(0);
  });
});
