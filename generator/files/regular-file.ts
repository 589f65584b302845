import { constants, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/** Bytes read at a time. */
const CHUNK_BYTES = 1024 * 1024;

/** Maximum size of a file that is read whole: no document or generated file comes near it. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** The code of an error for what is neither a file nor a folder: a device, a FIFO, a socket. */
export const NOT_A_FILE = 'ENOTREGULAR';

/** The code of an error for a file that is larger than the limit. */
export const TOO_LARGE = 'EFBIG';

export interface RegularFileOptions {
  readonly maxBytes: number;
  /** Whether a symbolic link at the path is followed. */
  readonly followsLink: boolean;
  /** Whether a FIFO or a character device is also read; reading it waits for its end. */
  readonly mayBeStream?: boolean;
}

/**
 * Reads a regular file, and never waits unless `mayBeStream`: a FIFO is opened without blocking and
 * rejected. What has no size (a stream, a file of /proc) is read up to the limit only.
 *
 * @throws an error with the code of the system, NOT_A_FILE or TOO_LARGE
 */
export async function readRegularFile(
  path: string,
  { maxBytes, followsLink, mayBeStream = false }: RegularFileOptions,
): Promise<Buffer> {
  // Undefined on systems that do not have them.
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  const wait = mayBeStream ? 0 : O_NONBLOCK;
  const file = await open(path, O_RDONLY | wait | (followsLink ? 0 : O_NOFOLLOW));
  try {
    const found = await file.stat();
    refuseOthers(path, found, mayBeStream);
    if (found.size > maxBytes) throw failure(TOO_LARGE, path);
    return await readUpTo(file, maxBytes, path);
  } finally {
    await file.close();
  }
}

function refuseOthers(path: string, found: Stats, mayBeStream: boolean): void {
  if (found.isDirectory()) throw failure('EISDIR', path);
  if (mayBeStream && (found.isFIFO() || found.isCharacterDevice())) return;
  if (!found.isFile()) throw failure(NOT_A_FILE, path);
}

async function readUpTo(file: FileHandle, maxBytes: number, path: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES);
    if (bytesRead === 0) return Buffer.concat(chunks, bytes);
    bytes += bytesRead;
    if (bytes > maxBytes) throw failure(TOO_LARGE, path);
    chunks.push(chunk.subarray(0, bytesRead));
  }
}

function failure(code: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${path}`), { code, path });
}
