import { connect, type Socket } from 'node:net';
import type { OnAnswer } from './drive.ts';

const HEAD_END = '\r\n\r\n';
/** The end of a chunked answer; no JSON that servers write contains a line break. */
const LAST_CHUNK = '\r\n0\r\n\r\n';

/**
 * One HTTP connection that sends one request at a time, with as little work as possible: a generator
 * that is slower than the server would measure a server that waits.
 */
export class HttpConnection {
  readonly #url: URL;
  readonly #head: string;
  #socket: Socket | undefined;
  #onAnswer: OnAnswer | undefined;
  #status = 0;
  #bytes = 0;
  /** Length of the answer's body; undefined before its head has arrived, null when it is chunked. */
  #length: number | null | undefined;
  /** The latest bytes of a chunked body. */
  #tail = '';

  constructor(url: URL) {
    this.#url = url;
    this.#head =
      `POST ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\n` +
      'content-type: application/json\r\ncontent-length: ';
  }

  /** Posts a body of ASCII characters. */
  post(body: string, onAnswer: OnAnswer): void {
    this.#onAnswer = onAnswer;
    this.#status = 0;
    this.#bytes = 0;
    this.#length = undefined;
    this.#tail = '';
    this.#socket ??= this.#open();
    this.#socket.write(`${this.#head}${body.length}${HEAD_END}${body}`, 'latin1');
  }

  #open(): Socket {
    const { hostname, port } = this.#url;
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#socket = undefined;
      this.#end(0);
    });
    return socket;
  }

  #read(chunk: Buffer): void {
    const start = this.#length === undefined ? this.#readHead(chunk) : 0;
    if (start === undefined) return;
    this.#bytes += chunk.length - start;
    if (this.#length === null) {
      const end = chunk.toString('latin1', Math.max(start, chunk.length - LAST_CHUNK.length));
      this.#tail = (this.#tail + end).slice(-LAST_CHUNK.length);
      if (this.#tail === LAST_CHUNK) this.#end(this.#status);
    } else if (this.#bytes >= this.#length!) this.#end(this.#status);
  }

  /** Returns where the body starts in a chunk; undefined when the head is not complete. */
  #readHead(chunk: Buffer): number | undefined {
    const found = chunk.indexOf(HEAD_END);
    if (found === -1) {
      // Servers send a head in one piece; one that does not is answered as a failure.
      this.#socket!.destroy();
      return undefined;
    }
    const head = chunk.toString('latin1', 0, found);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    this.#status = Number(head.slice(9, 12));
    this.#length = length === undefined ? null : Number(length);
    this.#tail = length === undefined ? '\r\n' : '';
    return found + HEAD_END.length;
  }

  #end(status: number): void {
    const onAnswer = this.#onAnswer;
    this.#onAnswer = undefined;
    onAnswer?.(status, this.#bytes);
  }
}
