import type { ServerResponse } from 'node:http';
import type { UpstreamLimits } from '../../src/upstream/limits.ts';
import { StreamBroken } from '../../src/upstream/http/byte-stream.ts';
import type { StreamEnd, StreamingOutcome, StreamOutcome } from '../../src/upstream/upstream.ts';
import { startFakeNode, type Behavior } from './fake-node.ts';
import { openUpstream, params } from './support.ts';

export const small: Partial<UpstreamLimits> = {
  stream_from_bytes: 1_000,
  stream_buffer_bytes: 20_000,
  stream_bytes: 100_000_000,
  stream_idle_ms: 60_000,
  stream_ms: 60_000,
};

/** A result of about that length, with whitespace, escapes and numbers beyond a double. */
export function resultOf(length_bytes: number): string {
  const item = '{ "rentEpoch" : 18446744073709551615,\t"b":"\\u00e9é𝄞\\/" , "a":1.0,"a":[ ] }';
  const count = Math.ceil(length_bytes / (Buffer.byteLength(item) + 2));
  return `[ ${Array.from({ length: count }, () => item).join(' ,')}\n]`;
}

export async function askForStream(
  behavior: Behavior,
  {
    limits = {},
    signal = new AbortController().signal,
    streams = true,
  }: { limits?: Partial<UpstreamLimits>; signal?: AbortSignal; streams?: boolean } = {},
): Promise<StreamingOutcome> {
  const node = await startFakeNode(behavior);
  const upstream = openUpstream(node.url, { ...small, ...limits });
  return upstream({ method: 'eth_test', params, streams }, signal);
}

export function streamOf(outcome: StreamingOutcome): StreamOutcome['stream'] {
  if (outcome.kind !== 'stream') throw new Error(`not a stream: ${JSON.stringify(outcome)}`);
  return outcome.stream;
}

/** Reads a stream to its end. */
export async function readAll(
  outcome: StreamingOutcome,
): Promise<{ text: string; broken: StreamBroken | undefined; end: StreamEnd }> {
  const stream = streamOf(outcome);
  const chunks: Buffer[] = [];
  let broken: StreamBroken | undefined;
  try {
    for await (const chunk of stream) chunks.push(chunk);
  } catch (error) {
    if (!(error instanceof StreamBroken)) throw error;
    broken = error;
  }
  return { text: Buffer.concat(chunks).toString(), broken, end: await stream.ended };
}

/** Answers with the parts one after the other. */
export function inParts(...parts: readonly (string | ((id: number) => string))[]): Behavior {
  return async ({ id }, response) => {
    for (const part of parts) {
      await send(response, typeof part === 'string' ? part : part(id));
    }
    response.end();
    return undefined;
  };
}

/** Resolves when the bytes are written to the socket, or the socket has failed. */
export function send(response: ServerResponse, bytes: string | Buffer): Promise<void> {
  return new Promise((resolve) => response.write(bytes, () => resolve()));
}

/** Sends a result without end, counting its bytes, until the connection is closed. */
export function endless(
  onClose: () => void = () => undefined,
  sent: { bytes: number } = { bytes: 0 },
): Behavior {
  return async ({ id }, response) => {
    response.once('close', onClose);
    response.write(`{"id":${id},"result":["x"`);
    const chunk = `,"${'x'.repeat(65_000)}"`;
    while (!response.destroyed) {
      sent.bytes += chunk.length;
      await send(response, chunk);
    }
    return undefined;
  };
}

/** Sends the beginning of a response and breaks the connection. */
export function breakAfter(begin: (id: number) => string): Behavior {
  return async ({ id }, response) => {
    await send(response, begin(id));
    response.destroy();
    return undefined;
  };
}
