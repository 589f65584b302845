import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request as open, type IncomingMessage } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { removeFolder, serve } from '../support/serve.ts';
import { startFakeNode } from '../upstream/fake-node.ts';
import { send } from '../upstream/stream-support.ts';

const MEGABYTE = 1_000_000;
const READERS = 32;
const RESULT_BYTES = 50 * MEGABYTE;
/** What the gateway may grow by; the results together are 1,600 MB. */
const GROWTH_BYTES = 200 * MEGABYTE;

/** Hexadecimal, as results are, and longer than a compressor remembers. */
const PIECE = Buffer.from(`,"${randomBytes(499_998).toString('hex')}0"`);
const PIECES = RESULT_BYTES / PIECE.length;

const key = 'key-of-slow-readers';
const body = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'eth_getBlockReceipts',
  params: ['0x1'],
});

const decoders: Record<string, () => Duplex> = { br: createBrotliDecompress, gzip: createGunzip };

/** A caller that takes its answer bite by bite. */
class Reader {
  readonly #source: Readable;
  readonly #hash = createHash('sha256');

  constructor(response: IncomingMessage) {
    response.on('error', () => undefined);
    const decoder = decoders[response.headers['content-encoding'] ?? '']?.();
    this.#source = decoder === undefined ? response.pause() : response.pipe(decoder);
  }

  bite(): void {
    const bytes = this.#source.read() as Buffer | null;
    if (bytes !== null) this.#hash.update(bytes);
  }

  /** The digest of the whole answer; reads the rest of it, and calls `onMegabytes` now and then. */
  async digest(onMegabytes: () => Promise<void>): Promise<string> {
    let read_bytes = 0;
    for await (const chunk of this.#source) {
      this.#hash.update(chunk as Buffer);
      read_bytes += (chunk as Buffer).length;
      if (read_bytes < 5 * MEGABYTE) continue;
      read_bytes = 0;
      await onMegabytes();
    }
    return this.#hash.digest('hex');
  }
}

async function ask(url: string, accept: string): Promise<Reader> {
  const headers = { 'content-type': 'application/json', 'accept-encoding': accept };
  const agent = new Agent();
  const asked = open(url, { method: 'POST', headers, agent }).end(body);
  onTestFinished(() => void asked.destroy());
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  expect(response.headers['content-encoding'] ?? 'identity').toBe(accept);
  return new Reader(response);
}

async function residentBytes(ops: string): Promise<number> {
  const text = await (await fetch(new URL('metrics', ops))).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]);
}

describe('the gateway, as a process', () => {
  it('holds little of 32 results of 50 MB whose readers are slow, compressed or not', async () => {
    const expected = createHash('sha256').update('{"jsonrpc":"2.0","id":1,"result":[0');
    for (let index = 0; index < PIECES; index += 1) expected.update(PIECE);
    const digest = expected.update(']}').digest('hex');
    const node = await startFakeNode(async ({ id, method }, response) => {
      if (method !== 'eth_getBlockReceipts') return undefined;
      response.write(`{"jsonrpc":"2.0","id":${id},"result":[0`);
      for (let index = 0; index < PIECES && !response.destroyed; index += 1) {
        await send(response, PIECE);
      }
      response.end(']}');
      return undefined;
    });
    const upstreams = [{ url: node.url.href, compression: false }];
    const gateway = await serve({
      networks: [{ name: 'evm', family: 'evm', listen: { port: 0 }, identity: 31_337, upstreams }],
      accounts: [
        { id: 'a', plan: 'custom', creditsPerDay: 1e9, callsPerSecond: 1e4, keys: [{ key }] },
      ],
      log: 'warn',
    });
    onTestFinished(async () => {
      await gateway.stop();
      removeFolder(gateway.folder);
    });
    const url = `${gateway.base}/v3/${key}`;
    const before = await residentBytes(gateway.ops);
    const accepted = ['identity', 'br', 'gzip', 'identity'];
    const readers = await Promise.all(
      Array.from({ length: READERS }, (_, index) => ask(url, accepted[index % accepted.length]!)),
    );
    let most = before;
    const sample = async (): Promise<void> => {
      most = Math.max(most, await residentBytes(gateway.ops));
    };
    // A bite each in turn.
    for (let round = 0; round < 15; round += 1) {
      for (const reader of readers) reader.bite();
      await sample();
    }
    // All others are held back while two read 100 MB.
    const digests = readers.slice(0, 2).map((reader) => reader.digest(sample));
    expect(await Promise.all(digests)).toEqual([digest, digest]);
    expect(most - before).toBeLessThan(GROWTH_BYTES);
  });
});
