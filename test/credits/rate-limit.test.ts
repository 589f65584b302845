import { describe, expect, it } from 'vitest';
import { RateLimit } from '../../src/credits/rate-limit.ts';

const subject = { accountId: 'acme', callsPerSecond: 10 };

describe('the rate limit', () => {
  it('lets a second of calls through at once, then one for each that time has brought', () => {
    let now_ms = 0;
    const limit = new RateLimit(() => now_ms);
    const burst = Array.from({ length: 12 }, () => limit.take(subject));
    expect(burst).toEqual([...Array<number>(10).fill(0), 100, 100]);
    now_ms = 99;
    expect(limit.take(subject)).toBe(1);
    now_ms = 250;
    expect([limit.take(subject), limit.take(subject), limit.take(subject)]).toEqual([0, 0, 50]);
    expect(limit.standing(subject)).toEqual({ limit: 10, remaining: 0 });
    now_ms = 60_000;
    expect(limit.standing(subject)).toEqual({ limit: 10, remaining: 10 });
  });

  it('counts each account by itself, and by the rate its plan has now', () => {
    const limit = new RateLimit(() => 0);
    for (let call = 0; call < 10; call += 1) limit.take(subject);
    expect(limit.take(subject)).toBeGreaterThan(0);
    expect(limit.take({ ...subject, accountId: 'other' })).toBe(0);
    expect(limit.take({ accountId: 'none', callsPerSecond: 0 })).toBe(3_600_000);
  });
});
