import { describe, expect, it } from 'vitest';
import { blockNeed, type BlockParams } from '../../../src/upstream/routing/block-need.ts';
import { floorFor, type HeightReport } from '../../../src/upstream/routing/heights.ts';
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

  it.each(rows)('of %s %s is the newest state: %s, and block %i', (method, params, tip, height) => {
    expect(blockNeed(blockParams, callOf(method, params))).toEqual({ tip, height });
  });
});

describe('floorFor', () => {
  const now_ms = 1_000_000;
  const options = { lag_blocks: 3, height_memory_ms: 60_000, monotonic_ms: () => now_ms };
  const fit = (height: number): HeightReport => ({ isFit: true, height, heightAt_ms: now_ms });
  const lost = (height: number, ago_ms: number): HeightReport => ({
    isFit: false,
    height,
    heightAt_ms: now_ms - ago_ms,
  });
  const at = (height: number) => ({ tip: false, height });
  const tip = { tip: true, height: 0 };

  it('is the block asked for, when one of the upstreams has it', () => {
    expect(floorFor(at(95), [fit(100), fit(90)], options)).toBe(95);
    expect(floorFor(at(0), [fit(100)], options)).toBe(0);
  });

  it('is the highest block known, for one that may not exist yet', () => {
    expect(floorFor(at(101), [fit(100), fit(90)], options)).toBe(100);
    expect(floorFor(at(2 ** 64), [fit(100), fit(90)], options)).toBe(100);
  });

  it('remembers, for a while, the block that a lost upstream had', () => {
    expect(floorFor(at(95), [lost(100, 60_000), fit(90)], options)).toBe(95);
    expect(floorFor(at(95), [lost(100, 60_001), fit(90)], options)).toBe(90);
  });

  it('follows a chain that goes back, as told by an upstream that is fit', () => {
    expect(floorFor(at(95), [fit(80)], options)).toBe(80);
  });

  it('for the newest state lets upstreams be a little behind the highest one that is fit', () => {
    expect(floorFor(tip, [fit(100), fit(90), lost(200, 0)], options)).toBe(97);
    expect(floorFor(tip, [fit(2)], options)).toBe(0);
    expect(floorFor(tip, [{ isFit: false, height: undefined, heightAt_ms: 0 }], options)).toBe(0);
  });

  it('for a state not older than a block is the higher of both', () => {
    expect(floorFor({ tip: true, height: 99 }, [fit(100)], options)).toBe(99);
    expect(floorFor({ tip: true, height: 50 }, [fit(100)], options)).toBe(97);
  });
});
