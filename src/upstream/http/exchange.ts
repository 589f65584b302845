import type { Socket } from 'node:net';
import type { CancelSignal } from '../../time/cancellation.ts';
import type { Clock } from '../../time/clock.ts';
import type { MessageTurns } from '../../time/message-turns.ts';
import type { Dispatcher } from 'undici';
import { MAX_INFORMATIONAL, type UpstreamLimits } from '../limits.ts';
import {
  ABORTED,
  failure,
  readersOf,
  type Failure,
  type StreamingOutcome,
  type UpstreamCall,
} from '../upstream.ts';
import { ANSWERS_EARLIER, MAX_BATCH_BYTES } from '../json-rpc.ts';
import { BodyFlow } from '../../time/body-flow.ts';
import type { StreamSource } from './byte-stream.ts';
import { openDecoder, type Decoder } from './decoder.ts';
import { DiscardedBody } from './discarded-body.ts';
import type { HeldBytes, HeldResponse } from '../held-bytes.ts';
import { LeftOpen, type LeftOpenOptions } from './left-open.ts';
import { ResponseReader, type BodyReader } from './response-reader.ts';
import { WholeBody } from './whole-body.ts';
import { failureOfError, failureOfStatus, isErrorOfCall, isOk, mayHoldError } from './status.ts';
import type { StreamSlots } from './stream-slots.ts';

export interface ExchangeOptions extends LeftOpenOptions {
  /** Id of the request. */
  readonly id: number;
  /** The call, or the first call of a batch. */
  readonly call: UpstreamCall;
  readonly isBatch: boolean;
  readonly signal: CancelSignal;
  readonly limits: UpstreamLimits;
  readonly slots: StreamSlots;
  readonly turns: MessageTurns;
  readonly held: HeldBytes;
  readonly clock: Clock;
  /** Called when the request is written to its connection. */
  readonly onSent: (socket: Socket | undefined) => void;
  /** Called when the response is found to belong to an earlier call. */
  readonly onRepeated: () => void;
  /** Called when the exchange is canceled and left open until `ended` settles; if absent, it is closed. */
  readonly onUncanceled?: ((ended: Promise<void>) => void) | undefined;
  /** Called once, however the exchange ends. */
  readonly onOutcome: (outcome: StreamingOutcome) => void;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** How much of an unwanted body is read so that its connection can be reused. */
const MAX_DISCARDED_BYTES = 64 * 1024;

/**
 * Maximum number of chunks in a row that are smaller than 64 bytes on average: each takes as much time as
 * one of 16 KiB, and a thousand may arrive at once.
 */
const MAX_SMALL_CHUNKS = 4_096;
const SMALL_CHUNK_BYTES = 64;

/** Header fields of a usual informational response. */
const INFORMATIONAL_FIELDS = 16;

const CANCELED = new Error('the exchange was canceled');
const UNSUPPORTED_ENCODING = failure('malformed', 'unsupported content encoding');
const BAD_ENCODING = failure('malformed', 'invalid content encoding');
const TOO_MANY_INFORMATIONAL = failure('malformed', 'too many informational responses');
const TOO_MANY_CHUNKS = failure('too_large', 'too many small chunks');
const TOO_MANY_BYTES = failure('overloaded', 'too many buffered response bytes');
const TOO_MANY_OWN_BYTES = failure('unread', 'too many buffered response bytes of the account');

/** One HTTP request and its response. */
export class Exchange implements Dispatcher.DispatchHandler, HeldResponse, StreamSource {
  readonly #options: ExchangeOptions;
  readonly #onAbort = (): void => (this.#leave() ? this.#fail(ABORTED) : this.#cancel(ABORTED));
  #leftOpen: LeftOpen | undefined;
  /** Returns the socket on which the request is sent. */
  currentSocket: () => Socket | undefined = () => undefined;
  #socket: Socket | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #flow: BodyFlow | undefined;
  #body: BodyReader | undefined;
  #decoder: Decoder | undefined;
  /** Bytes of the body that have not arrived yet; NaN when its length is unknown. */
  #left_bytes = Number.NaN;
  #held_bytes = 0;
  #informational = 0;
  #smallChunks = 0;
  #isReceived = false;
  #isEnded = false;
  #isOver = false;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    const { call, turns } = this.#options;
    const { onWaiting } = call;
    this.#flow = new BodyFlow({ controller, turns, readers: readersOf(call), onWaiting });
    this.#socket = this.currentSocket();
    if (this.#isOver) controller.abort(CANCELED);
    else this.#options.onSent(this.#socket);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200) return this.#countInformational(headers);
    if (this.#isOver) return;
    if (isOk(status)) this.#body = this.#openReader();
    else {
      const { isBatch, clock } = this.#options;
      const failed = failureOfStatus(status, headers, { isBatch, now_ms: clock.now_ms() });
      if (isBatch || !mayHoldError(status)) {
        this.#body = this.#discardBody(failed);
        return;
      }
      this.#body = this.#openErrorReader(failed, status);
    }
    if (!this.#openDecoder(headers['content-encoding'])) return this.#cancel(UNSUPPORTED_ENCODING);
    this.#left_bytes = Number(headers['content-length'] ?? Number.NaN);
    if (!this.#body.expect(this.#left_bytes || 0)) this.#stop();
  }

  /** Many header fields take as much time as further responses. */
  #countInformational(headers: Headers): void {
    const fields = Object.values(headers).flat().length;
    this.#informational += Math.max(1, fields / INFORMATIONAL_FIELDS);
    if (this.#informational > MAX_INFORMATIONAL) this.#cancel(TOO_MANY_INFORMATIONAL);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return this.#leftOpen?.read(chunk.length);
    this.#smallChunks = Math.max(0, this.#smallChunks + 1 - chunk.length / SMALL_CHUNK_BYTES);
    if (this.#smallChunks > MAX_SMALL_CHUNKS) return this.#cancel(TOO_MANY_CHUNKS);
    this.#left_bytes -= chunk.length;
    if (this.#decoder === undefined) {
      this.#push(chunk);
      // End now, before undici uses the connection for the next call, which would then get the wrong
      // response.
      if (this.#left_bytes === 0) this.#end();
      else this.#flow?.read(chunk.length);
    } else if (!this.#decoder.write(chunk)) this.#pause();
  }

  onResponseEnd(): void {
    this.#isReceived = true;
    this.#leftOpen?.end();
    if (this.#decoder === undefined) this.#end();
    else this.#decoder.end();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#fail(failureOfError(error));
    this.#leftOpen?.end();
  }

  #openReader(): BodyReader {
    const { call, limits, isBatch } = this.#options;
    const onOutcome = (outcome: StreamingOutcome): void => this.#settle(outcome);
    if (isBatch) {
      return new WholeBody(Math.min(MAX_BATCH_BYTES, limits.response_bytes), onOutcome);
    }
    const response_bytes = Math.min(limits.response_bytes, call.response_bytes ?? Infinity);
    return this.#createReader(call, response_bytes, onOutcome);
  }

  /** Reads a node error from a failed response; any other body results in the failure for its status. */
  #openErrorReader(failed: Failure, status: number): BodyReader {
    const call = { ...this.#options.call, streams: false };
    return this.#createReader(call, MAX_DISCARDED_BYTES, (outcome) => {
      const isOfCall = outcome.kind === 'error' && isErrorOfCall(status, outcome.error);
      this.#settle(isOfCall ? outcome : failed);
    });
  }

  #createReader(
    call: UpstreamCall,
    response_bytes: number,
    onOutcome: (outcome: StreamingOutcome) => void,
  ): BodyReader {
    const { id, signal, limits, slots, turns, clock } = this.#options;
    const monotonic_ms = (): number => clock.monotonic_ms();
    const given = { id, call, signal, limits, response_bytes, slots, turns, monotonic_ms };
    return new ResponseReader({ ...given, source: this, onOutcome });
  }

  #discardBody(failed: Failure): BodyReader {
    return new DiscardedBody(MAX_DISCARDED_BYTES, failed, (outcome) => this.#settle(outcome));
  }

  readonly isWaiting = (): boolean => this.#flow?.isWaiting === true;

  pause(): void {
    if (this.#decoder === undefined) this.#pause();
    else this.#decoder.pause();
  }

  resume(): void {
    (this.#decoder ?? this.#flow)?.resume();
  }

  cancel(): Promise<void> | undefined {
    if (this.#leave()) this.#release();
    else this.#stop();
    return this.#leftOpen?.ended;
  }

  /**
   * Stops reading, except after the last byte: a node may close an idle connection, which a paused undici
   * takes for the end of the response.
   */
  #pause(): void {
    if (this.#left_bytes !== 0) this.#flow?.pause();
  }

  #openDecoder(coding: string | string[] | undefined): boolean {
    if (coding === undefined || coding === 'identity') return true;
    this.#decoder = openDecoder(String(coding), {
      onData: (bytes) => this.#push(bytes),
      onEnd: () => this.#end(),
      onError: () => this.#cancel(BAD_ENCODING),
      onDrain: () => {
        if (!this.#isReceived) this.#flow?.resume();
      },
    });
    return this.#decoder !== undefined;
  }

  #push(bytes: Buffer): void {
    if (this.#isOver || this.#body === undefined) return;
    const isWanted = this.#body.push(bytes);
    if (!isWanted) return this.#stop();
    return this.#hold(this.#isOver ? 0 : this.#body.held_bytes);
  }

  get account(): string {
    return this.#options.call.account ?? '';
  }

  get held_bytes(): number {
    return this.#held_bytes;
  }

  discard(isOwn: boolean): void {
    this.#cancel(isOwn ? TOO_MANY_OWN_BYTES : TOO_MANY_BYTES);
  }

  #hold(bytes: number): void {
    const change = bytes - this.#held_bytes;
    this.#held_bytes = bytes;
    this.#options.held.change(this, change);
  }

  #end(): void {
    if (this.#isOver || this.#isEnded) return;
    this.#isEnded = true;
    this.#flow?.end();
    this.#body?.end();
    // A large response is still being read in slices; it is released once it has an outcome.
    if (this.#body === undefined || this.#body.held_bytes === 0) this.#release();
  }

  #cancel(failed: Failure): void {
    this.#fail(failed);
    this.#controller?.abort(CANCELED);
  }

  /** Leaves the connection open if the node is taken to work on the request until it has responded. */
  #leave(): boolean {
    const { onUncanceled } = this.#options;
    if (!this.#controller || this.#isOver || this.#isReceived || !onUncanceled) return false;
    this.#leftOpen = new LeftOpen(this.#controller, this.#options);
    onUncanceled(this.#leftOpen.ended);
    return true;
  }

  #fail(failed: Failure): void {
    if (this.#isOver) return;
    if (this.#body === undefined) this.#settle(failed);
    else this.#body.fail(failed);
    this.#release();
  }

  #stop(): void {
    this.#release();
    this.#controller?.abort(CANCELED);
  }

  /**
   * Closes the connection because its next response would be given to the wrong call. The response of this
   * exchange may have ended, and the connection may already be used for another call.
   */
  closeConnection(): void {
    this.#options.onRepeated();
    this.#stop();
    this.#socket?.destroy();
  }

  #settle(outcome: StreamingOutcome): void {
    if (outcome === ANSWERS_EARLIER) this.closeConnection();
    else if (outcome.kind !== 'stream') this.#release();
    // From now on, the stream cancels the exchange.
    else this.#options.signal.removeEventListener('abort', this.#onAbort);
    this.#options.onOutcome(outcome);
  }

  #release(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#flow?.end();
    this.#hold(0);
    this.#decoder?.destroy();
    this.#options.signal.removeEventListener('abort', this.#onAbort);
  }
}
