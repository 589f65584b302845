import { request, type IncomingMessage } from 'node:http';

export interface SlowReading {
  readonly url: string;
  readonly body: string;
  readonly readers: number;
  readonly window_ms: number;
}

/** A reader takes the next chunk, of at most 64 KiB, after this pause. */
const PAUSE_MS = 40;

/** Reads answers slowly, again and again until the window is over. Resolves to the bytes read. */
export async function readSlowly(order: SlowReading): Promise<number> {
  const ends_ms = performance.now() + order.window_ms;
  const counts = Array.from({ length: order.readers }, async () => {
    let bytes = 0;
    while (performance.now() < ends_ms) bytes += await readOne(order);
    return bytes;
  });
  return (await Promise.all(counts)).reduce((sum, bytes) => sum + bytes, 0);
}

function readOne({ url, body }: SlowReading): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const read = (response: IncomingMessage): void => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        response.pause();
        setTimeout(() => response.resume(), PAUSE_MS);
      });
      response.on('end', () => resolve(bytes)).on('error', reject);
    };
    request(url, { method: 'POST', headers, agent: false }, read).on('error', reject).end(body);
  });
}
