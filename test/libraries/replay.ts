/** Sends recorded bytes over a plain socket, and reads one response as a client does. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';

const ANSWER_TIMEOUT_MS = 30_000;
const HEAD_END = '\r\n\r\n';
const LINE_END = '\r\n';
const TEXT_FRAME = 0x81;
/** Lengths of a frame that say that the length follows, in 2 or 8 bytes (RFC 6455, section 5.2). */
const LENGTH_IN_2_BYTES = 126;
const LENGTH_IN_8_BYTES = 127;

/** The place of the server's host and port in a recording. */
const HOST = 'HOST';

export async function connectTo(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  return socket;
}

export const withHost = (recorded: string, url: string): string =>
  recorded.replace(HOST, new URL(url).host);

async function read(socket: Socket, length: number): Promise<Buffer> {
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  for (;;) {
    const bytes = socket.read(length) as Buffer | null;
    if (bytes !== null) return bytes;
    await once(socket, 'readable', { signal });
  }
}

async function readUntil(socket: Socket, end: string): Promise<string> {
  let text = '';
  while (!text.endsWith(end)) text += (await read(socket, 1)).toString('latin1');
  return text;
}

async function readBody(socket: Socket, head: string): Promise<Buffer> {
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  if (length !== undefined) return read(socket, Number(length));
  const chunks: Buffer[] = [];
  for (;;) {
    const size = Number.parseInt(await readUntil(socket, LINE_END), 16);
    if (size > 0) chunks.push(await read(socket, size));
    await read(socket, LINE_END.length);
    if (size === 0) return Buffer.concat(chunks);
  }
}

/** Sends an HTTP request and returns the JSON of its response. */
export async function exchangeHttp(socket: Socket, request: string): Promise<unknown> {
  socket.write(request);
  const head = await readUntil(socket, HEAD_END);
  const body = await readBody(socket, head);
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(`${head}${body.toString()}`);
  const isCompressed = /^content-encoding: gzip/im.test(head);
  return JSON.parse((isCompressed ? gunzipSync(body) : body).toString());
}

/** Sends the handshake of a WebSocket. */
export async function openWebSocket(socket: Socket, handshake: string): Promise<void> {
  socket.write(handshake);
  const head = await readUntil(socket, HEAD_END);
  if (!head.startsWith('HTTP/1.1 101')) throw new Error(head);
}

/** Sends a frame and returns the JSON of the text frame that answers it. */
export async function exchangeFrame(socket: Socket, frame: Buffer): Promise<unknown> {
  socket.write(frame);
  const [kind, short] = await read(socket, 2);
  if (kind !== TEXT_FRAME) throw new Error(`expected a text frame, got 0x${kind!.toString(16)}`);
  let length = short!;
  if (short === LENGTH_IN_2_BYTES) length = (await read(socket, 2)).readUInt16BE();
  if (short === LENGTH_IN_8_BYTES) length = Number((await read(socket, 8)).readBigUInt64BE());
  return JSON.parse((await read(socket, length)).toString());
}
