import { describe, expect, it } from 'vitest';
import { backoff } from '../../src/time/timer.ts';

describe('backoff', () => {
  const options = { first_ms: 100, max_ms: 1_000 };

  it('doubles up to a maximum, half of it random', () => {
    const spans = [0, 1, 2, 3, 4, 5, 1_000];
    const least = spans.map((attempt) => backoff(attempt, { ...options, random: () => 0 }));
    const most = spans.map((attempt) => backoff(attempt, { ...options, random: () => 1 }));
    expect(least).toEqual([50, 100, 200, 400, 500, 500, 500]);
    expect(most).toEqual([100, 200, 400, 800, 1_000, 1_000, 1_000]);
  });
});
