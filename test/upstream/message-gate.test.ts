import { once } from 'node:events';
import type { Writable } from 'node:stream';
import * as fc from 'fast-check';
import * as ws from 'ws';
import { describe, expect, it, vi } from 'vitest';
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

  it.each([
    ['at the start of a message', []],
    ['within an oversized message', [frame(1, Buffer.alloc(400, ' '), false)]],
  ])('lets the reader end at a frame of an impossible size, %s', async (_, before) => {
    const { gate } = openGate();
    const receiver = new Receiver({ maxPayload: MESSAGE_BYTES });
    const error = once(receiver, 'error');
    const header = Buffer.concat([Buffer.from([0x81, 127]), Buffer.alloc(8, 0xff)]);
    for (const bytes of [...before, header]) {
      for (const part of gate.take(bytes)) receiver.write(part);
    }
    expect(String(await error)).toContain('payload length > 2^53 - 1');
    expect(gate.take(frame(1, Buffer.from('{"id":7}'), true))).toEqual([]);
    gate.finish();
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
