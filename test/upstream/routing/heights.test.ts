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
  return { isHealthy: true, height, heightAt_ms: now_ms - ago_ms, blocks_per_s };
}

function lost(height: number, ago_ms: number): HeightReport {
  return { ...fit(height, { ago_ms }), isHealthy: false };
}

describe('demandOf', () => {
  const minHeightFor = (height: number, ...reports: HeightReport[]): number =>
    demandOf({ tip: false, height }, reports, { height_memory_ms: 60_000, now_ms }).minHeight;

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
  ): boolean => isBehind(report, [report, best], { lag_blocks, allowsGrowth, now_ms });

  it('is true for a node beyond the allowed lag', () => {
    expect(behind(fit(97), fit(100))).toBe(false);
    expect(behind(fit(96), fit(100))).toBe(true);
    expect(behind(fit(96), lost(100, 0))).toBe(false);
    expect(behind(fit(100), fit(90))).toBe(false);
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
