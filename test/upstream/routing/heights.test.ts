import { describe, expect, it } from 'vitest';
import { blockNeed, type BlockParams } from '../../../src/upstream/routing/heights.ts';
import {
  demandOf,
  isBehind,
  lagOf,
  type HeightReport,
} from '../../../src/upstream/routing/heights.ts';
import { callOf } from '../support.ts';

const blockParams: BlockParams = {
  getBlock: [{ pointer: '/0', reads: 'at' }],
  getAccounts: [{ pointer: '/1/minContextSlot', reads: 'from' }],
};

describe('blockNeed', () => {
  const rows: [method: string, params: string, tip: boolean, height: number][] = [
    ['getBlock', '["0x10",false]', false, 16],
    ['getBlock', '[ "0xFFFFFFFFFFFFFFFF" ]', false, 2 ** 64],
    ['getBlock', '[17]', false, 17],
    ['getBlock', '["18"]', false, 18],
    ['getBlock', '["earliest"]', false, 0],
    ['getBlock', '["latest"]', true, 0],
    ['getBlock', '["pending"]', true, 0],
    ['getBlock', '["safe"]', true, 0],
    ['getBlock', '["finalized"]', true, 0],
    ['getBlock', '[]', true, 0],
    ['getBlock', '[{"blockHash":"0x1"}]', true, 0],
    ['getAccounts', '["x"]', true, 0],
    ['getAccounts', '["x",{"minContextSlot":99}]', true, 99],
    ['getByHash', '["0x10"]', true, 0],
  ];

  it.each(rows)('reads %s %s as latest state: %s, block: %i', (method, params, tip, height) => {
    expect(blockNeed(blockParams, callOf(method, params))).toEqual({ tip, height });
  });
});

const now_ms = 1_000_000;

function fit(height: number, { ago_ms = 0, blocks_per_s = 0 } = {}): HeightReport {
  const heightAt_ms = now_ms - ago_ms;
  const answeredHeight = undefined;
  return {
    isHealthy: true,
    height,
    heightAt_ms,
    answeredHeight,
    failsFor: () => false,
    isUsableBy: () => true,
    blocks_per_s,
  };
}

/** A node that answers probes but fails the calls of `account`. */
function failing(height: number, answeredHeight?: number, account = 'a'): HeightReport {
  return {
    ...fit(height),
    answeredHeight,
    failsFor: (other) => other === account,
    isUsableBy: (other) => other !== account,
  };
}

function lost(height: number, ago_ms: number): HeightReport {
  return { ...fit(height, { ago_ms }), isHealthy: false, isUsableBy: () => false };
}

describe('demandOf', () => {
  const minHeightFor = (height: number, ...reports: HeightReport[]): number =>
    demandOf({ tip: false, height }, reports, { account: 'a', height_memory_ms: 60_000, now_ms })
      .minHeight;

  it('is the requested block when a node has it', () => {
    expect(minHeightFor(95, fit(100), fit(90))).toBe(95);
    expect(minHeightFor(0, fit(100))).toBe(0);
  });

  it('is the highest known block for one that may not exist yet', () => {
    expect(minHeightFor(101, fit(100), fit(90))).toBe(100);
    expect(minHeightFor(2 ** 64, fit(100), fit(90))).toBe(100);
  });

  it('remembers the height of a lost node for a while', () => {
    expect(minHeightFor(95, lost(100, 60_000), fit(90))).toBe(95);
    expect(minHeightFor(95, lost(100, 60_001), fit(90))).toBe(90);
  });

  it('is at most the height at which a node last answered a call, if it answers only probes', () => {
    expect(minHeightFor(150, failing(1_000_000), fit(100))).toBe(100);
    expect(minHeightFor(150, failing(1_000_000, 120), fit(100))).toBe(120);
    expect(minHeightFor(150, failing(1_000_000, 120, 'b'), fit(100))).toBe(150);
  });

  it('follows a healthy node to a lower height', () => {
    expect(minHeightFor(95, fit(80))).toBe(80);
  });
});

describe('isBehind', () => {
  const behind = (
    report: HeightReport,
    best: HeightReport,
    lag_blocks = 3,
    allowsGrowth = true,
  ): boolean =>
    isBehind(report, [report, best], { lag_blocks, allowsGrowth, account: 'a', now_ms });

  it('is true for a node beyond the allowed lag', () => {
    expect(behind(fit(97), fit(100))).toBe(false);
    expect(behind(fit(96), fit(100))).toBe(true);
    expect(behind(fit(96), lost(100, 0))).toBe(false);
    expect(behind(fit(100), fit(90))).toBe(false);
  });

  it('does not compare with a node that the account cannot use', () => {
    expect(behind(fit(96), failing(100))).toBe(false);
    expect(behind(fit(96), failing(100, 100, 'b'))).toBe(true);
  });

  it('compares with the height at which a node last answered, if it fails calls of others', () => {
    const open = { ...failing(100, 98), failsFor: () => true, isUsableBy: () => true };
    expect(behind(fit(94), open)).toBe(true);
    expect(behind(fit(95), open)).toBe(false);
    expect(behind(fit(10), { ...open, answeredHeight: undefined })).toBe(false);
  });

  it('allows for the growth of the chain since the last probe', () => {
    const fast = fit(1_000, { blocks_per_s: 4 });
    expect(behind(fit(993), fast)).toBe(false);
    expect(behind(fit(992), fast)).toBe(true);
    expect(behind(fit(750, { ago_ms: 60_000 }), fast)).toBe(true);
    expect(behind(fit(760, { ago_ms: 60_000 }), fast)).toBe(false);
    expect(behind(fit(993), fast, 3, false)).toBe(true);
  });

  it('reports the lag', () => {
    expect(lagOf(90, [fit(100), lost(200, 0)])).toBe(10);
    expect(lagOf(110, [fit(100)])).toBe(0);
    expect(lagOf(5, [])).toBe(0);
  });
});
