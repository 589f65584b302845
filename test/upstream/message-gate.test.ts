import type { Writable } from 'node:stream';
import * as fc from 'fast-check';
import * as ws from 'ws';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ObjectScanner } from '../../src/json/object-scanner.ts';
import { MessageGate, type MessageGateOptions } from '../../src/upstream/socket/message-gate.ts';
import { seedOfCases } from '../support/soak.ts';

const MESSAGE_BYTES = 300;

/** The frame reader of `ws`, which its types omit. */
const { Receiver } = ws as unknown as {
  readonly Receiver: new (options: { readonly maxPayload: number }) => Writable;
};

/** What the gate does not end by. */
const fail = (): never => expect.unreachable();

interface Gated {
  readonly gate: MessageGate;
  /** Ids of removed messages. */
  readonly ids: string[];
}

function openGate(endings: Partial<MessageGateOptions> = {}): Gated {
  const ids: string[] = [];
  const gate = new MessageGate({
    message_bytes: MESSAGE_BYTES,
    large_bytes: MESSAGE_BYTES,
    onLarge: () => undefined,
    onLargeId: () => undefined,
    discarded_bytes: 1e12,
    onOversized: () => undefined,
    onId: (id) => ids.push(id),
    onUnknown: fail,
    onEndless: fail,
    onFlood: fail,
    onInvalid: fail,
    onHeld: () => undefined,
    ...endings,
  });
  return { gate, ids };
}

/** Encodes a server frame (RFC 6455, section 5.2). */
function frame(opcode: number, payload: Buffer, isLast: boolean): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length > 0xff_ff ? 10 : length > 125 ? 4 : 2);
  head[0] = opcode | (isLast ? 0x80 : 0);
  head[1] = head.length === 10 ? 127 : head.length === 4 ? 126 : length;
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  if (head.length === 4) head.writeUInt16BE(length, 2);
  return Buffer.concat([head, payload]);
}

/** A message with its id, fragmented at `cuts`, with a ping after each fragment. */
function framesOf(id: number, size: number, cuts: readonly number[]): Buffer {
  const text = Buffer.from(`{"result":"${'x'.repeat(size)}","id":${id}}`);
  const inner = cuts.map((cut) => cut % text.length).toSorted((left, right) => left - right);
  const ends = [...inner, text.length];
  const frames = ends.flatMap((end, index) => [
    frame(index === 0 ? 1 : 0, text.subarray(ends[index - 1] ?? 0, end), index === inner.length),
    frame(9, Buffer.from('ping'), true),
  ]);
  return Buffer.concat(frames);
}

describe('MessageGate', () => {
  it('passes on messages within the limit and reports the ids of others, for any chunk size', () => {
    const message = fc.record({
      size: fc.oneof(fc.nat(100), fc.integer({ min: 250, max: 320 }), fc.nat(70_000)),
      cuts: fc.uniqueArray(fc.integer({ min: 1, max: 70_000 }), { maxLength: 4 }),
    });
    const property = fc.property(
      fc.array(message, { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1 }),
      (messages, chunkSizes) => {
        const { gate, ids } = openGate();
        const received: string[] = [];
        let pings = 0;
        const receiver = new Receiver({ maxPayload: MESSAGE_BYTES });
        receiver.on('message', (data: Buffer) => {
          if (!gate.isNextTruncated()) received.push(/"id":(\d+)/.exec(data.toString())![1]!);
        });
        receiver.on('ping', () => (pings += 1));
        const bytes = Buffer.concat(messages.map(({ size, cuts }, id) => framesOf(id, size, cuts)));
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const end = at + chunkSizes[turn % chunkSizes.length]!;
          for (const part of gate.take(bytes.subarray(at, end))) receiver.write(part);
          at = end;
        }
        const isLarge = ({ size }: { size: number }, id: number): boolean =>
          `{"result":"","id":${id}}`.length + size > MESSAGE_BYTES;
        const idsOf = (large: boolean): string[] =>
          messages.flatMap((each, id) => (isLarge(each, id) === large ? [String(id)] : []));
        expect(received).toEqual(idsOf(false));
        expect(ids).toEqual(idsOf(true));
        expect(pings).toBeGreaterThanOrEqual(messages.length);
      },
    );
    fc.assert(property, { seed: seedOfCases(), numRuns: 300 });
  });

  it('passes on nothing of a message of a gigabyte', () => {
    const { gate, ids } = openGate();
    const head = Buffer.alloc(10);
    head.set([0x81, 127]);
    const piece = Buffer.alloc(1_000_000, 0x78);
    const [start, end] = ['{"result":"', '","id":7}'].map((text) => Buffer.from(text));
    head.writeBigUInt64BE(BigInt(start!.length + 1_000 * piece.length + end!.length), 2);
    const passed = [head, start!, ...Array.from({ length: 1_000 }, () => piece), end!].flatMap(
      (bytes) => gate.take(bytes),
    );
    expect(passed).toEqual([]);
    expect(ids).toEqual(['7']);
  });

  it.each([
    ['pings', 9],
    ['pongs', 10],
  ])('passes on at most 1,000 %s between two heartbeats', (_, opcode) => {
    const ending = vi.fn();
    const { gate } = openGate({ onFlood: ending });
    const frames = (count: number): Buffer =>
      Buffer.concat(Array.from({ length: count }, () => frame(opcode, Buffer.from('12'), true)));
    for (let heartbeat = 0; heartbeat < 3; heartbeat += 1) {
      expect(Buffer.concat(gate.take(frames(1_000)))).toEqual(frames(1_000));
      gate.beat();
    }
    expect(Buffer.concat(gate.take(frames(2_000))).length).toBeLessThan(frames(1_001).length);
    expect(gate.take(frames(1))).toEqual([]);
    gate.beat();
    expect(gate.take(frames(1))).toEqual([]);
    gate.finish();
    expect(ending).toHaveBeenCalledTimes(1);
  });

  const hi = Buffer.from('hi');
  const changed = (bytes: Buffer, at: number, byte: number): Buffer =>
    Buffer.concat([bytes.subarray(0, at), Buffer.of(byte), bytes.subarray(at + 1)]);
  it.each([
    ['of an impossible size', Buffer.concat([Buffer.of(0x82, 127), Buffer.alloc(8, 0xff)])],
    ['with a mask', changed(frame(1, hi, true), 1, 0x82)],
    ['with an extension', changed(frame(1, hi, true), 0, 0xc1)],
    ['with an unknown opcode', frame(3, hi, true)],
    ['of an unknown control opcode', frame(11, hi, true)],
    ['that is part of a ping', frame(9, hi, false)],
    ['that is a long ping', frame(9, Buffer.alloc(126), true)],
    ['that continues no message', frame(0, hi, true)],
  ])('passes on nothing from a frame %s on', (_, invalid) => {
    const ending = vi.fn();
    const { gate } = openGate({ onInvalid: ending });
    const valid = Buffer.concat([frame(1, hi, true), frame(9, hi, true)]);
    expect(Buffer.concat(gate.take(Buffer.concat([valid, invalid, valid])))).toEqual(valid);
    gate.finish();
    expect(gate.take(valid)).toEqual([]);
    gate.finish();
    expect(ending).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['', hi],
    [' oversized', Buffer.alloc(400, ' ')],
  ])('passes on nothing from a message on that begins within another%s one', (_, payload) => {
    const ending = vi.fn();
    const { gate } = openGate({ onInvalid: ending });
    const before = gate.take(frame(1, payload, false));
    expect(Buffer.concat(before).length).toBe(payload === hi ? 4 : 0);
    const read = vi.spyOn(ObjectScanner.prototype, 'feed');
    onTestFinished(() => read.mockRestore());
    const frames = Buffer.concat(Array.from({ length: 1_000 }, () => frame(1, hi, false)));
    expect(gate.take(frames)).toEqual([]);
    expect(read).not.toHaveBeenCalled();
    gate.finish();
    expect(ending).toHaveBeenCalledTimes(1);
  });

  it('skips a message in very many empty frames', () => {
    const { gate, ids } = openGate({ discarded_bytes: 64 * 2_000_010 });
    gate.take(frame(1, Buffer.alloc(0), false));
    for (let each = 0; each < 20; each += 1) gate.take(Buffer.alloc(2 * 100_000));
    const next = frame(1, Buffer.from('{"id":8}'), true);
    const last = frame(0, Buffer.from('{"id":7}'), true);
    expect(Buffer.concat(gate.take(Buffer.concat([last, next])))).toEqual(next);
    expect(ids).toEqual(['7']);
    gate.finish();
  });

  it.each([
    ['a known call', '{"id":7,"result":"', true],
    ['an unknown call', '{"result":"', false],
  ])('ends at a message of endless empty frames for %s', (_, text, isKnown) => {
    const ending = vi.fn();
    const { gate } = openGate({ onEndless: ending, discarded_bytes: 64 * 150_000 });
    gate.take(frame(1, Buffer.from(text), false));
    const frames = Buffer.alloc(2 * 100_000);
    gate.take(frames);
    gate.finish();
    expect(ending).not.toHaveBeenCalled();
    // The reader would take a frame of the removed message for an error of the node.
    expect(gate.take(frames)).toEqual([]);
    gate.finish();
    expect(ending.mock.calls).toEqual([[isKnown]]);
  });

  it('passes on nothing after an endless message whose last byte ends a frame', () => {
    const ending = vi.fn();
    const { gate } = openGate({ onEndless: ending, discarded_bytes: 1_000 });
    const endless = frame(1, Buffer.alloc(1_001, ' '), false);
    expect(gate.take(Buffer.concat([endless, frame(0, Buffer.from('{}'), true)]))).toEqual([]);
    gate.finish();
    expect(ending.mock.calls).toEqual([[false]]);
  });
});
