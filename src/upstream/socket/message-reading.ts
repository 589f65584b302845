import type { Response } from '../json-rpc.ts';
import { SLICE_BYTES } from '../../json/sliced-members.ts';
import { SlicedResponse } from '../sliced-response.ts';
import type { Failure } from '../upstream.ts';
import { IdReader } from './id-reader.ts';

/** Reads a message from a node in slices; also finds the call that an unusable one answers. */
export class MessageReading {
  readonly #message: Buffer;
  readonly #response: SlicedResponse;
  #failed: Failure | undefined;
  #ids: IdReader | undefined;
  #at = 0;

  constructor(message: Buffer, max_depth: number) {
    this.#message = message;
    this.#response = new SlicedResponse(message, max_depth);
  }

  /** Reads the next slice. Returns the response once it is known. */
  next(): Response | undefined {
    if (this.#failed === undefined) {
      const response = this.#response.next();
      if (response?.kind !== 'failure') return response;
      this.#failed = response;
    }
    return this.#readId(this.#failed);
  }

  #readId(outcome: Failure): Response | undefined {
    // A message cannot be deeper than it is long.
    this.#ids ??= new IdReader(this.#message.length);
    const slice = this.#message.subarray(this.#at, this.#at + SLICE_BYTES);
    this.#at += slice.length;
    this.#ids.feed(slice);
    const { id, isBroken } = this.#ids;
    const isRead = id !== undefined || isBroken || this.#at === this.#message.length;
    return isRead ? { kind: 'response', id, isRequest: false, outcome } : undefined;
  }
}
