import { SlicedMembers } from '../json/sliced-members.ts';
import { memberNames, responseOf, syntaxFailure, type Response } from './json-rpc.ts';
import type { Failure } from './upstream.ts';

/** Reads a response of any size in slices, so that a large one does not block the process. */
export class SlicedResponse {
  readonly #bytes: Buffer;
  readonly #members: SlicedMembers;

  constructor(bytes: Buffer, max_depth: number) {
    this.#bytes = bytes;
    this.#members = new SlicedMembers(bytes, max_depth, memberNames);
  }

  /** Reads the next slice. Returns the response once it is known. */
  next(): Response | Failure | undefined {
    try {
      const members = this.#members.next();
      return members && responseOf(this.#bytes, members);
    } catch (error) {
      return syntaxFailure(error);
    }
  }
}
