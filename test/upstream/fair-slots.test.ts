import { expect, it } from 'vitest';
import { PROBE_SLOTS, splitSlots } from '../../src/upstream/fair-slots.ts';

it('a node gets no more calls at a time than it works on, probes included', () => {
  for (let callsInFlight = 1; callsInFlight <= 200; callsInFlight += 1) {
    const { slots, reserved } = splitSlots(1_000, callsInFlight);
    expect(slots).toBeGreaterThanOrEqual(1);
    // A node that works on fewer has one slot for calls beside the probes.
    expect(slots + reserved + PROBE_SLOTS).toBe(Math.max(callsInFlight, 1 + PROBE_SLOTS));
    if (callsInFlight >= 4) expect(reserved).toBeGreaterThanOrEqual(1);
  }
});

it('a limit of the network or the upstream also applies', () => {
  expect(splitSlots(128)).toEqual({ slots: 128, reserved: 128 });
  expect(splitSlots(128, 1_000)).toEqual(splitSlots(128));
  expect(splitSlots(128, 202)).toEqual({ slots: 128, reserved: 72 });
});
