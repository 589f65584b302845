import { memberRanges, type Member } from '../json/ranges.ts';

/** A request as JSON-RPC 2.0 defines it (section 4), its parts still bytes. */
export interface Envelope {
  /** As written: a number, a string or null. Null (no buffer) is a notification: never answered. */
  readonly id: Buffer | null;
  readonly method: string;
  /** As written; null when absent. */
  readonly params: Buffer | null;
  /** What makes this no request, or null. */
  readonly flaw: string | null;
}

const NULL_ID = Buffer.from('null');

/** Reads the request object that stands at `start` of valid JSON text. */
export function readEnvelope(bytes: Buffer, start: number): Envelope {
  if (bytes[start] !== 0x7b) return flawed(NULL_ID, 'a request is an object');
  return envelopeOf(bytes, memberRanges(bytes, start));
}

/** Reads a request from the members of its object. Of members with the same name the last counts. */
export function envelopeOf(bytes: Buffer, members: readonly Member[]): Envelope {
  let id: Buffer | null = null;
  let version: Member | undefined;
  let method: Member | undefined;
  let params: Buffer | null = null;
  for (const member of members) {
    if (member.name === 'id') id = bytes.subarray(member.start, member.end);
    else if (member.name === 'jsonrpc') version = member;
    else if (member.name === 'method') method = member;
    else if (member.name === 'params') params = bytes.subarray(member.start, member.end);
  }
  if (id !== null && !isId(id)) return flawed(NULL_ID, 'id must be a number, a string or null');
  if (version === undefined || textAt(bytes, version) !== '2.0') {
    return flawed(id, 'jsonrpc must be "2.0"');
  }
  const name = method === undefined ? undefined : textAt(bytes, method);
  if (name === undefined) return flawed(id, 'method must be a string');
  if (params !== null && params[0] !== 0x5b && params[0] !== 0x7b) {
    return flawed(id, 'params must be an array');
  }
  return { id, method: name, params, flaw: null };
}

/** An id that can be told is echoed; what is no request is never taken for a notification. */
function flawed(id: Buffer | null, flaw: string): Envelope {
  return { id: id ?? NULL_ID, method: '', params: null, flaw };
}

function isId(raw: Buffer): boolean {
  const first = raw[0]!;
  return first === 0x22 || first === 0x2d || first === 0x6e || (first >= 0x30 && first <= 0x39);
}

function textAt(bytes: Buffer, { start, end }: Member): string | undefined {
  if (bytes[start] !== 0x22) return undefined;
  const text = bytes.toString('utf8', start + 1, end - 1);
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}
