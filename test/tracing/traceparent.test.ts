import { describe, expect, it } from 'vitest';
import { readTraceparent, writeTraceparent } from '../../src/tracing/open-tracing.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('a traceparent', () => {
  it.each([
    ['sampled', `00-${TRACE}-${SPAN}-01`, 1],
    ['not sampled', `00-${TRACE}-${SPAN}-00`, 0],
    ['with flags of later days', `00-${TRACE}-${SPAN}-ff`, 1],
    ['of a later version, with more behind it', `42-${TRACE}-${SPAN}-01-more`, 1],
  ])('%s is read', (_what, text, traceFlags) => {
    const read = readTraceparent(text);
    expect(read).toEqual({ traceId: TRACE, spanId: SPAN, traceFlags, isRemote: true });
    expect(writeTraceparent(read!)).toBe(`00-${TRACE}-${SPAN}-0${traceFlags}`);
  });

  it.each([
    ['empty', ''],
    ['of version ff', `ff-${TRACE}-${SPAN}-01`],
    ['of version 00 with more behind it', `00-${TRACE}-${SPAN}-01-more`],
    ['in capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['without a trace', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['without a span', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['sent twice', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
    ['too short', `00-${TRACE}-${SPAN}-1`],
  ])('that is %s counts as none', (_what, text) => {
    expect(readTraceparent(text)).toBeUndefined();
  });
});
