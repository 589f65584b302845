import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grant, type GrantRequest } from '../../src/store/operations/settle-lease.ts';

const alone: GrantRequest = {
  allowance: 3_000_000,
  spent: 0,
  lost: 0,
  heldByOthers: 0,
  heldBefore: 0,
  needs: [],
  weight: 1,
  isNew: false,
  max_call_credits: 1_000,
};

const credits = fc.integer({ min: 0, max: 10_000_000 });
const requests = fc.record({
  allowance: credits,
  spent: credits,
  lost: fc.integer({ min: 0, max: 100_000 }),
  heldByOthers: fc.integer({ min: 0, max: 200_000 }),
  heldBefore: fc.integer({ min: 0, max: 200_000 }),
  needs: fc.array(fc.integer({ min: 0, max: 1_000 }), { maxLength: 50 }),
  weight: fc.double({ min: 0.001, max: 1, noNaN: true }),
  isNew: fc.boolean(),
  max_call_credits: fc.constant(1_000),
});

const boundOf = ({ allowance }: GrantRequest): number =>
  Math.max(Math.floor(allowance / 100), 1_000);

describe('a grant', () => {
  it('is never more than what is left of the allowance', () => {
    fc.assert(
      fc.property(requests, (request) => {
        const { granted, remaining } = grant(request);
        const { allowance, spent, lost, heldByOthers, heldBefore } = request;
        const left = allowance - spent - lost - heldByOthers - heldBefore;
        expect(granted).toBeLessThanOrEqual(Math.max(0, left));
        expect(remaining).toBe(Math.max(0, left) - granted);
        expect(Number.isInteger(granted) && granted >= 0).toBe(true);
      }),
    );
  });

  it('keeps the sum of all leases within 1 % of the allowance or the most expensive call', () => {
    fc.assert(
      fc.property(requests, (request) => {
        const needed = grant({ ...request, allowance: request.allowance, weight: 1e-12 }).granted;
        const { granted } = grant(request);
        const slice = granted - needed;
        const sum = request.heldByOthers + request.heldBefore + granted;
        if (slice > 0) expect(sum).toBeLessThanOrEqual(boundOf(request));
      }),
    );
  });

  it('covers waiting calls in order while there are credits', () => {
    const nearTheEnd = { ...alone, spent: 2_999_700 };
    expect(grant({ ...nearTheEnd, needs: [80, 80, 80] })).toMatchObject({ granted: 240 });
    expect(grant({ ...nearTheEnd, needs: [150, 160, 150, 1] })).toMatchObject({
      granted: 300,
      remaining: 0,
    });
    expect(grant({ ...nearTheEnd, needs: [301] })).toMatchObject({ granted: 0, remaining: 300 });
  });

  it('covers one call at a time once less than the bound is left', () => {
    expect(grant({ ...alone, spent: 2_970_001, needs: [80] })).toMatchObject({ granted: 80 });
    expect(grant({ ...alone, spent: 2_970_001 })).toMatchObject({ granted: 0, remaining: 29_999 });
    expect(grant({ ...alone, spent: 2_960_000, needs: [80] }).granted).toBeGreaterThan(20_000);
  });

  it('is shared by usage and leaves a part for new holders', () => {
    const busy = grant({ ...alone, weight: 0.75 }).granted;
    const quiet = grant({ ...alone, weight: 0.25 }).granted;
    expect(busy / quiet).toBeCloseTo(3, 3);
    expect(grant(alone).granted).toBe(30_000 - 30_000 / 8);
    const first = { ...alone, heldByOthers: grant(alone).granted, weight: 0.5 };
    expect(grant(first).granted).toBe(30_000 / 8);
    expect(grant({ ...first, isNew: true }).granted).toBe(30_000 / 16);
    expect(grant({ ...alone, isNew: true }).granted).toBe(30_000 / 2);
  });

  it('is 0 when a smaller plan allows less than is already taken', () => {
    const shrunk = { ...alone, allowance: 1_000, spent: 5_000, needs: [1] };
    expect(grant(shrunk)).toMatchObject({ granted: 0, remaining: 0 });
  });
});
