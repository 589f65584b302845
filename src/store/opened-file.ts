import { fstatSync, openSync, readSync, statSync } from 'node:fs';
import { StoreError } from './database.ts';

/** How every SQLite database begins (https://sqlite.org/fileformat.html, section 1.3). */
const HEADER = Buffer.from('SQLite format 3\0');

/**
 * A database file that SQLite has open. SQLite itself does not notice that the file was deleted or
 * replaced, and writes on to a file that nobody will read again.
 */
export class OpenedFile {
  readonly #path: string;
  /**
   * Never closed: closing any descriptor of a file releases the locks that SQLite holds on it
   * (https://sqlite.org/howtocorrupt.html, section 2.2).
   */
  readonly #descriptor: number;

  constructor(path: string) {
    this.#path = path;
    this.#descriptor = openSync(path, 'r');
  }

  /** @throws StoreError if the path no longer holds the database that was opened */
  check(): void {
    const flaw = this.#flaw();
    if (flaw === undefined) return;
    throw new StoreError(
      `SQLite: the file ${this.#path} ${flaw} while in use, and nothing is written any more; ` +
        'put the original file back, or restore a backup and restart the gateway',
    );
  }

  #flaw(): string | undefined {
    const found = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
    if (found === undefined) return 'was deleted';
    const opened = fstatSync(this.#descriptor, { bigint: true });
    if (found.ino !== opened.ino || found.dev !== opened.dev) return 'was replaced';
    const header = Buffer.alloc(HEADER.length);
    readSync(this.#descriptor, header, 0, header.length, 0);
    return header.equals(HEADER) ? undefined : 'was truncated or overwritten';
  }
}
