import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { WebSocket } from 'ws';
import type { Answer, Target, TransportName } from './message.ts';

/** Sends messages to a server, one at a time. */
export interface Channel {
  readonly name: TransportName;
  send(message: OutgoingMessage): Promise<Answer>;
  close(): Promise<void>;
}

export interface OutgoingMessage {
  /** Null for a GET. */
  readonly body: string | Uint8Array | null;
  readonly isSilent: boolean;
  readonly isIsolated: boolean;
  readonly target?: Target | undefined;
}

interface ChannelOptions {
  readonly target: Target;
  readonly timeout_ms: number;
  /** Maximum size of an answer, and of the messages that wait to be read. */
  readonly max_bytes?: number;
}

/**
 * The default of `max_bytes`, the same as `response_bytes` of the gateway: JSON of many small values
 * takes 30 times as much memory once parsed.
 */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/**
 * Memory counted for each piece of a body or message in addition to its bytes: a piece may be a single
 * byte.
 */
const PIECE_BYTES = 256;

/** How long to wait for further messages after the response to the sentinel. */
const SETTLE_MS = 5;

export function openHttp({
  target,
  timeout_ms,
  max_bytes = MAX_ANSWER_BYTES,
}: ChannelOptions): Channel {
  const dispatcher = new Agent({ maxResponseSize: max_bytes, connections: 1 });
  const exchange = async (message: OutgoingMessage): Promise<Omit<Answer, 'took_ms'>> => {
    const to = message.target ?? target;
    const headers = { 'content-type': 'application/json', ...target.headers, ...to.headers };
    const {
      statusCode,
      headers: got,
      body,
    } = await request(to.url, {
      dispatcher,
      method: message.body === null ? 'GET' : 'POST',
      headers,
      body: message.body,
      signal: AbortSignal.timeout(timeout_ms),
    });
    const text = await readText(body, max_bytes);
    return {
      transport: 'http',
      status: statusCode,
      headers: Object.fromEntries(
        Object.entries(got).map(([name, value]) => [name, String(value)]),
      ),
      texts: text.trim() === '' ? [] : [text],
      failure: null,
    };
  };
  return {
    name: 'http',
    send: (message) => timed('http', timeout_ms, () => exchange(message)),
    close: () => dispatcher.destroy(),
  };
}

async function readText(body: AsyncIterable<Buffer>, max_bytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length + PIECE_BYTES;
    if (bytes > max_bytes) throw new Error('the response is too large');
    pieces.push(piece);
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
}

/** Measures an exchange; one that fails becomes an answer with a failure. */
async function timed(
  transport: TransportName,
  timeout_ms: number,
  exchange: () => Promise<Omit<Answer, 'took_ms'>>,
): Promise<Answer> {
  const start = performance.now();
  const took = () => performance.now() - start;
  try {
    return { ...(await exchange()), took_ms: took() };
  } catch (error) {
    const { name, message, code } = error as NodeJS.ErrnoException;
    const failure =
      name === 'TimeoutError' || name === 'AbortError'
        ? `no response within ${timeout_ms} ms`
        : `no response: ${code ?? message}`;
    return { transport, status: null, headers: {}, texts: [], failure, took_ms: took() };
  }
}

/** Creates a channel that connects when it sends its first message, and reconnects if it was closed. */
export function openWebSocket({
  target,
  timeout_ms,
  max_bytes = MAX_ANSWER_BYTES,
}: ChannelOptions): Channel {
  let inbox: Inbox | undefined;
  let sentinels = 0;
  const exchange = async (message: OutgoingMessage): Promise<Omit<Answer, 'took_ms'>> => {
    const signal = AbortSignal.timeout(timeout_ms);
    const own = message.target === undefined;
    const to = message.target ?? target;
    const box = own && inbox?.isOpen ? inbox : await Inbox.open(to, { signal, max_bytes });
    if (own) inbox = box;
    try {
      const texts = await sendThrough(box, message, { sentinel: (sentinels += 1), signal });
      return { transport: 'websocket', status: null, headers: {}, texts, failure: null };
    } finally {
      if (!own || signal.aborted) box.close();
    }
  };
  return {
    name: 'websocket',
    send: (message) => timed('websocket', timeout_ms, () => exchange(message)),
    close: async () => inbox?.close(),
  };
}

/**
 * Sends a message and returns its responses. A missing or an additional response is only noticed when a
 * later call, the sentinel, gets its response.
 */
async function sendThrough(
  box: Inbox,
  { body, isSilent, isIsolated }: OutgoingMessage,
  { sentinel, signal }: { readonly sentinel: number; readonly signal: AbortSignal },
): Promise<readonly string[]> {
  if (body === null) throw new Error('a GET needs HTTP');
  // Messages that arrived after the last answer belong to no call.
  const strays = box.take();
  box.send(body);
  const texts = isSilent ? [] : [await box.next(signal)];
  if (isSilent || isIsolated) {
    const name = `specgate_sentinel_${sentinel}`;
    box.send(`{"jsonrpc":"2.0","id":"${name}","method":"${name}"}`);
    for (;;) {
      const text = await box.next(signal);
      if (text.includes(name)) break;
      texts.push(text);
    }
    await pause(SETTLE_MS);
    texts.push(...box.take());
  }
  return [...strays, ...texts];
}

/** The messages of a connection that have not been read yet. */
class Inbox {
  readonly #socket: WebSocket;
  readonly #texts: string[] = [];
  readonly #changed = new EventTarget();
  /** Memory of the messages that have not been read yet. */
  #bytes = 0;

  #failure = 'the server closed the connection';

  private constructor(socket: WebSocket, max_bytes: number) {
    this.#socket = socket;
    const wake = (): void => void this.#changed.dispatchEvent(new Event('change'));
    socket.on('message', (data: Buffer) => {
      this.#bytes += data.length + PIECE_BYTES;
      this.#texts.push(data.toString());
      if (this.#bytes > max_bytes) {
        this.#failure = 'the responses are too large';
        socket.terminate();
      }
      wake();
    });
    socket.on('close', wake);
    socket.on('error', wake);
  }

  /** Rejects if the server rejects the connection. */
  static async open(
    { url, headers }: Target,
    { signal, max_bytes }: { readonly signal: AbortSignal; readonly max_bytes: number },
  ): Promise<Inbox> {
    const socket = new WebSocket(url, { headers: headers ?? {}, maxPayload: max_bytes });
    const inbox = new Inbox(socket, max_bytes);
    try {
      await once(socket, 'open', { signal });
    } catch (error) {
      socket.terminate();
      throw error;
    }
    return inbox;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  send(body: string | Uint8Array): void {
    // JSON-RPC uses text messages, even for bytes that are not UTF-8.
    this.#socket.send(body, { binary: false });
  }

  take(): string[] {
    this.#bytes = 0;
    return this.#texts.splice(0);
  }

  async next(signal: AbortSignal): Promise<string> {
    while (this.#texts.length === 0) {
      if (!this.isOpen) throw new Error(this.#failure);
      await once(this.#changed, 'change', { signal });
    }
    return this.#texts.shift()!;
  }

  close(): void {
    this.#socket.terminate();
  }
}
