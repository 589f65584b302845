import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import type { CancelSignal } from '../../time/cancellation.ts';
import type { Range } from '../../json/ranges.ts';
import { JsonSyntaxError } from '../../json/scanner.ts';
import { SlicedMembers } from '../../json/sliced-members.ts';
import { failure } from '../upstream.ts';
import type { Failure, StreamingOutcome, StreamingUpstream, UpstreamCall } from '../upstream.ts';

/** The latest block or slot of a node. */
export interface Head {
  readonly number: number;
  /** The gas limit of the latest block; null in families without gas limits. */
  readonly gasLimit: bigint | null;
  /** The latest finalized block or slot; absent when the node does not report one. */
  readonly finalized?: number;
}

export type Family = 'evm' | 'svm';

/** The calls that show which chain a node serves and which block it has reached. */
export interface Probes {
  /** Returns the chain id (decimal) or genesis hash. */
  identity(upstream: StreamingUpstream, signal: CancelSignal): Promise<string | Failure>;
  head(upstream: StreamingUpstream, signal: CancelSignal): Promise<Head | Failure>;
  /** Returns the number of the latest finalized block; undefined when the node does not report it. */
  finalized(upstream: StreamingUpstream, signal: CancelSignal): Promise<number | undefined>;
}

const evm: Probes = {
  async identity(upstream, signal) {
    const chainId = await ask(upstream, 'eth_chainId', '[]', signal);
    return quantity(chainId)?.toString() ?? failureOf('eth_chainId', chainId);
  },
  async head(upstream, signal) {
    const block = await askForBlock(upstream, 'latest', signal);
    if (block instanceof ProbeFailure) return block.failure;
    const { number, gasLimit } = block;
    if (number === undefined || gasLimit === undefined) return failureOf('latest block', block);
    return { number, gasLimit };
  },
  async finalized(upstream, signal) {
    const block = await askForBlock(upstream, 'finalized', signal);
    return block instanceof ProbeFailure ? undefined : block.number;
  },
};

const svm: Probes = {
  async identity(upstream, signal) {
    const hash = await ask(upstream, 'getGenesisHash', '[]', signal);
    const isHash = typeof hash === 'string' && /^[1-9A-HJ-NP-Za-km-z]{1,64}$/.test(hash);
    return isHash ? hash : failureOf('getGenesisHash', hash);
  },
  async head(upstream, signal) {
    const health = await ask(upstream, 'getHealth', '[]', signal);
    if (health !== 'ok') return failureOf('getHealth', health);
    const slot = await ask(upstream, 'getSlot', '[{"commitment":"processed"}]', signal);
    const number = heightOf(slot);
    return number === undefined ? failureOf('getSlot', slot) : { number, gasLimit: null };
  },
  async finalized(upstream, signal) {
    const slot = await ask(upstream, 'getSlot', '[{"commitment":"finalized"}]', signal);
    return heightOf(slot);
  },
};

export const probes: Readonly<Record<Family, Probes>> = { evm, svm };

/** Why a probe got no result; a class, so that no JSON value can be taken for one. */
class ProbeFailure {
  readonly failure: Failure;

  constructor(outcome: Failure) {
    this.failure = outcome;
  }
}

interface Request {
  readonly method: string;
  readonly params: string;
  /** Maximum size of the result. */
  readonly result_bytes: number;
}

/** Maximum size of an id, a hash or a number. */
const MAX_SCALAR_BYTES = 1_024;

/** Maximum size of a block; enough for the hashes of 60,000 transactions. */
const MAX_BLOCK_BYTES = 4 * 1024 * 1024;

/** Space for the members around a result, and for an error. */
const ENVELOPE_BYTES = 64 * 1024;

/**
 * Failures of a probe that went over an open connection just before the node reset it. When a node resets all
 * of its connections, those that were idle are found to be closed one after another.
 */
const lostConnections: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** How often, and after which time, a probe is repeated after such a failure. */
const REPEATS = 2;
const REPEAT_MS = 10;

async function askRepeatedly(
  upstream: StreamingUpstream,
  call: UpstreamCall,
  signal: CancelSignal,
): Promise<StreamingOutcome> {
  for (let repeats = 0; ; repeats += 1) {
    const outcome = await upstream(call, signal);
    const isLost = outcome.kind === 'failure' && lostConnections.has(outcome.detail);
    if (!isLost || repeats === REPEATS || signal.aborted) return outcome;
    await wait(REPEAT_MS);
  }
}

/** Returns the bytes of the result. */
async function askForBytes(
  upstream: StreamingUpstream,
  { method, params, result_bytes }: Request,
  signal: CancelSignal,
): Promise<Buffer | ProbeFailure> {
  const response_bytes = result_bytes + ENVELOPE_BYTES;
  const call = { method, params: Buffer.from(params), response_bytes };
  const outcome = await askRepeatedly(upstream, call, signal);
  if (outcome.kind !== 'result') return new ProbeFailure(describe(method, outcome));
  if (outcome.result.length <= result_bytes) return outcome.result;
  return new ProbeFailure(failure('unhealthy', `${method}: the result is too large`));
}

/** Returns the parsed result, a scalar, or a ProbeFailure. */
async function ask(
  upstream: StreamingUpstream,
  method: string,
  params: string,
  signal: CancelSignal,
): Promise<unknown> {
  const request = { method, params, result_bytes: MAX_SCALAR_BYTES };
  const result = await askForBytes(upstream, request, signal);
  return result instanceof ProbeFailure ? result : (JSON.parse(result.toString()) as unknown);
}

/** Reads two members of a block without parsing its transactions. */
async function askForBlock(upstream: StreamingUpstream, tag: string, signal: CancelSignal) {
  const params = JSON.stringify([tag, false]);
  const request = { method: 'eth_getBlockByNumber', params, result_bytes: MAX_BLOCK_BYTES };
  const result = await askForBytes(upstream, request, signal);
  if (result instanceof ProbeFailure) return result;
  const members = await membersOf(result);
  const read = (name: string): bigint | undefined => {
    const range = members.get(name);
    if (range === undefined || range.end - range.start > MAX_QUANTITY_BYTES) return undefined;
    return quantity(JSON.parse(result.toString('utf8', range.start, range.end)));
  };
  return { number: heightOf(Number(read('number'))), gasLimit: read('gasLimit') };
}

/** Maximum size of a number in a block, as written. */
const MAX_QUANTITY_BYTES = 64;

/** The upstream has checked the depth. Not Infinity, which WebAssembly would read as 0. */
const ANY_DEPTH = 1_000_000;

const blockMembers = new Set(['number', 'gasLimit']);

/**
 * Returns no members for a result that is not an object. For a large result, the upstream has checked only
 * the depth and the syntax of the beginning.
 */
async function membersOf(result: Buffer): Promise<ReadonlyMap<string, Range>> {
  const reading = new SlicedMembers(result, ANY_DEPTH, blockMembers);
  try {
    for (;;) {
      const members = reading.next();
      if (members !== undefined) return members;
      await setImmediate();
    }
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return new Map();
  }
}

/** How much of a node's error message is repeated in logs. */
const MAX_MESSAGE_CHARACTERS = 200;

function describe(method: string, outcome: Exclude<StreamingOutcome, { kind: 'result' }>): Failure {
  if (outcome.kind === 'stream') return failure('unhealthy', `${method}: unexpected stream`);
  if (outcome.kind === 'error') {
    const { code, message } = outcome.error;
    const text = message.slice(0, MAX_MESSAGE_CHARACTERS);
    return failure('unhealthy', `${method}: error ${code} ${text}`);
  }
  // The detail of a failed verification already names its call.
  const { cause, detail } = outcome;
  return failure(cause, cause === 'unhealthy' ? detail : `${method}: ${cause}: ${detail}`);
}

function failureOf(asked: string, answer: unknown): Failure {
  if (answer instanceof ProbeFailure) return answer.failure;
  return failure('unhealthy', `${asked}: unexpected response`);
}

/** Returns a value if it can be the number of a block or slot. */
function heightOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}

function quantity(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{1,16}$/i.test(value) ? BigInt(value) : undefined;
}
