/** What a command returns; an error is returned too, so that later replies keep their place. */
export type Reply = Buffer | null | Error | readonly (Buffer | null)[];

/** Maximum size of a whole reply; cached results are far smaller. */
const MAX_REPLY_BYTES = 1_048_576;

/** Maximum size of a line: a status, an error, a number or a length. */
const MAX_LINE_BYTES = 1_024;

/** Maximum number of items in an array; no command of the gateway returns as many. */
const MAX_ITEMS = 16;

const INCOMPLETE = Symbol('incomplete');

interface Line {
  readonly type: string;
  readonly text: string;
  readonly end: number;
}

/**
 * Reads the replies of a Redis server (RESP2) without nested arrays. Throws for anything else: what
 * follows could be the reply to another command.
 */
export class ReplyReader {
  #chunks: Buffer[] = [];
  #length_bytes = 0;
  /** The minimum number of bytes with which the next reply can be complete. */
  #wanted_bytes = 1;

  /** Returns the replies that are complete with these bytes. */
  read(chunk: Buffer): readonly Reply[] {
    this.#chunks.push(chunk);
    this.#length_bytes += chunk.length;
    if (this.#length_bytes < this.#wanted_bytes) return [];
    const bytes = Buffer.concat(this.#chunks);
    const replies: Reply[] = [];
    let at = 0;
    for (;;) {
      const { reply, end } = this.#replyAt(bytes, at);
      if (reply === INCOMPLETE) {
        if (end - at > MAX_REPLY_BYTES) throw new Error('reply exceeds the size limit');
        this.#wanted_bytes = end - at;
        break;
      }
      replies.push(reply);
      at = end;
    }
    this.#chunks = [bytes.subarray(at)];
    this.#length_bytes = bytes.length - at;
    return replies;
  }

  /** For an incomplete reply, `end` is the first position at which it can end. */
  #replyAt(bytes: Buffer, at: number): { reply: Reply | typeof INCOMPLETE; end: number } {
    const line = lineAt(bytes, at);
    if (line === undefined) return { reply: INCOMPLETE, end: bytes.length + 1 };
    const { type, text, end } = line;
    if (type === '+' || type === ':') return { reply: Buffer.from(text), end };
    if (type === '-') return { reply: new Error(text), end };
    if (type === '$') return bulkAt(bytes, line);
    if (type === '*') return arrayAt(bytes, line);
    throw new Error('unknown type of reply');
  }
}

function lineAt(bytes: Buffer, at: number): Line | undefined {
  const length = bytes.subarray(at, at + MAX_LINE_BYTES).indexOf('\r\n');
  if (length > 0) {
    const type = String.fromCharCode(bytes[at]!);
    return { type, text: bytes.toString('latin1', at + 1, at + length), end: at + length + 2 };
  }
  if (length === 0 || bytes.length - at >= MAX_LINE_BYTES) throw new Error('invalid reply');
  return undefined;
}

function bulkAt(
  bytes: Buffer,
  line: Line,
): { reply: Buffer | null | typeof INCOMPLETE; end: number } {
  const length = lengthOf(line, MAX_REPLY_BYTES);
  if (length < 0) return { reply: null, end: line.end };
  const end = line.end + length + 2;
  if (end > bytes.length) return { reply: INCOMPLETE, end };
  if (bytes.toString('latin1', end - 2, end) !== '\r\n') throw new Error('invalid reply');
  return { reply: bytes.subarray(line.end, end - 2), end };
}

function arrayAt(
  bytes: Buffer,
  line: Line,
): { reply: readonly (Buffer | null)[] | typeof INCOMPLETE; end: number } {
  const items: (Buffer | null)[] = [];
  let { end } = line;
  for (let left = lengthOf(line, MAX_ITEMS); left > 0; left -= 1) {
    const item = lineAt(bytes, end);
    if (item === undefined) return { reply: INCOMPLETE, end: bytes.length + 1 };
    if (item.type !== '$') throw new Error('unknown type of item');
    const { reply, end: itemEnd } = bulkAt(bytes, item);
    end = itemEnd;
    if (reply === INCOMPLETE) return { reply, end };
    items.push(reply);
  }
  return { reply: items, end };
}

function lengthOf({ text }: Line, max: number): number {
  const length = /^(?:-1|\d{1,10})$/.test(text) ? Number(text) : Number.NaN;
  if (length <= max) return length;
  throw new Error('reply exceeds the size limit');
}
