import { describe, expect, it } from 'vitest';
import { SlicedResponse } from '../../src/upstream/sliced-response.ts';
import type { UpstreamOutcome } from '../../src/upstream/upstream.ts';

const MESSAGE_BYTES = 1_000_000;

/** Reads a message that has `content` and is filled up to its size. */
function read(content: string): UpstreamOutcome {
  const message = `{"jsonrpc":"2.0","id":1,${content}`;
  const filler = 'x'.repeat(MESSAGE_BYTES - message.length);
  const reading = new SlicedResponse(Buffer.from(`${message},"filler":"${filler}"}`), 512);
  for (;;) {
    const response = reading.next();
    if (response?.kind === 'failure') return response;
    if (response !== undefined) return response.outcome;
  }
}

/** Bytes that a buffer keeps in memory. */
const memoryOf = (bytes: Buffer | undefined): number => bytes!.buffer.byteLength;

describe('a message of a node', () => {
  it('does not stay in memory with a small result', () => {
    const outcome = read('"result":"0x1"');
    const result = outcome.kind === 'result' ? outcome.result : undefined;
    expect(result?.toString()).toBe('"0x1"');
    expect(memoryOf(result)).toBeLessThan(MESSAGE_BYTES / 10);
  });

  it('does not stay in memory with the data of a small error', () => {
    const outcome = read('"error":{"code":3,"message":"no","data":[1.0]}');
    const data = outcome.kind === 'error' ? outcome.error.rawData : undefined;
    expect(data?.toString()).toBe('[1.0]');
    expect(memoryOf(data)).toBeLessThan(MESSAGE_BYTES / 10);
  });

  it('is not copied if the result is most of it', () => {
    const outcome = read(`"result":"${'y'.repeat(MESSAGE_BYTES * 0.6)}"`);
    const result = outcome.kind === 'result' ? outcome.result : undefined;
    expect(memoryOf(result)).toBeGreaterThanOrEqual(MESSAGE_BYTES);
  });
});
