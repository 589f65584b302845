import { ObjectScanner } from '../../json/object-scanner.ts';
import { JsonSyntaxError } from '../../json/scanner.ts';
import { checkMembers } from '../../json/ranges.ts';

/** Longer than any id that the gateway sends. */
const MAX_ID_CHARACTERS = 32;

/** Maximum depth that is read. It is deeper than any call trace; a reader keeps a byte for each level. */
const MAX_ID_DEPTH = 8_192;

/**
 * Finds the id of a JSON-RPC message that arrives in chunks, and stores nothing else. Also finds it in
 * messages that are not usable: the encoding is not checked, and more levels are read than a result may
 * have.
 */
export class IdReader {
  readonly #scanner: ObjectScanner;
  #members = 0;
  #member = '';
  #value = '';
  #id: string | undefined;
  #isRequest = false;
  #isBroken = false;

  constructor(max_depth = MAX_ID_DEPTH) {
    this.#scanner = new ObjectScanner(
      {
        begin: (name) => {
          this.#members += 1;
          checkMembers(this.#members);
          this.#member = name;
          this.#isRequest ||= name === 'method';
        },
        piece: (bytes) => {
          if (this.#member !== 'id') return;
          this.#value += bytes.toString('latin1', 0, MAX_ID_CHARACTERS - this.#value.length);
        },
        end: () => {
          if (this.#member === 'id') this.#id ??= this.#value;
        },
      },
      max_depth,
      'any',
    );
  }

  /** As written; undefined until it has been read. */
  get id(): string | undefined {
    return this.#id;
  }

  /** Whether the message is a request or notification from the node, which answers no call. */
  get isRequest(): boolean {
    return this.#isRequest;
  }

  /** Whether the message is not valid JSON, so that no id will be found. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  feed(bytes: Buffer): void {
    if (this.#id !== undefined || this.#isBroken) return;
    try {
      this.#scanner.feed(bytes);
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      this.#isBroken = true;
    }
  }
}
