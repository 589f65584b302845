import type { TLSSocket } from 'node:tls';

/** Maximum length of the data in a TLS record (RFC 8446, section 5.1). */
const RECORD_BYTES = 16_384;

/** A UTF-16 unit takes at most 3 bytes in UTF-8. */
const MAX_BYTES_PER_UNIT = 3;

interface Chunk {
  readonly chunk: Buffer | string;
  readonly encoding: BufferEncoding;
}

/**
 * Makes a connection encrypt and send large writes record by record. Node encrypts each write as a whole, in
 * a buffer that it keeps until the connection is closed (`set_allocate_tls_hint` in its src/crypto): 2,000
 * connections that were sent a document of 250 KB would take 500 MB.
 */
export function writeInRecords(socket: TLSSocket): void {
  const write = socket._write.bind(socket);
  const writeAll = socket._writev!.bind(socket);
  const writeRecords: typeof writeAll = (chunks: readonly Chunk[], callback) => {
    const records = recordsOf(chunks);
    const writeNext = (error?: Error | null): void => {
      const record = error ? undefined : records.next().value;
      if (record === undefined) callback(error);
      else writeAll(record, writeNext);
    };
    writeNext();
  };
  socket._write = (chunk: Buffer | string, encoding, callback) => {
    if (chunk.length * MAX_BYTES_PER_UNIT <= RECORD_BYTES) write(chunk, encoding, callback);
    else writeRecords([{ chunk, encoding }], callback);
  };
  socket._writev = writeRecords;
}

/** Splits chunks into groups that fit into a record. */
function* recordsOf(chunks: readonly Chunk[]): Generator<Chunk[], undefined> {
  let record: Chunk[] = [];
  let left = RECORD_BYTES;
  for (const { chunk, encoding } of chunks) {
    let rest = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
    while (rest.length > 0) {
      const part = rest.subarray(0, left);
      record.push({ chunk: part, encoding: 'buffer' as BufferEncoding });
      rest = rest.subarray(part.length);
      left -= part.length;
      if (left > 0) continue;
      yield record;
      record = [];
      left = RECORD_BYTES;
    }
  }
  if (record.length > 0) yield record;
}
