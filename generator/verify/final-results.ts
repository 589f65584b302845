import { printExact } from '../../common/json/exact.ts';
import { valueAt } from '../../common/json/pointer.ts';
import { isObject, type Json, type JsonObject } from '../../common/json/value.ts';
import { positionalParams, type Contract, type VerifiedMethod } from './contract.ts';
import { findDifference } from './difference.ts';
import {
  callText,
  canonicalText,
  messageProbe,
  pairResponses,
  parseText,
  type Answer,
  type Probe,
  type TransportName,
} from './message.ts';

/** Maximum number of characters of results that are kept for a comparison. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

interface Call {
  readonly method: VerifiedMethod;
  readonly params: Json;
}

/** Compares results that the document says no longer change (`x-immutable`) with earlier ones. */
export class FinalResults {
  readonly #contract: Contract;
  readonly #send: (probe: Probe, transport: TransportName) => Promise<Answer>;
  readonly #results = new Map<string, JsonObject>();
  #charactersLeft = MAX_CHARACTERS;
  /** Number of the newest finalized block at the start, or null; undefined before it was asked for. */
  #finalized: bigint | null | undefined;

  constructor(contract: Contract, send: (probe: Probe, at: TransportName) => Promise<Answer>) {
    this.#contract = contract;
    this.#send = send;
  }

  /** Returns how final results in a response differ from those of earlier calls with the same params. */
  async changesIn(probe: Probe, answer: Answer): Promise<readonly string[]> {
    const changes: string[] = [];
    for (const { expected, response } of pairResponses(probe, answer)) {
      const { outcome } = expected;
      if (outcome.kind !== 'valid' || outcome.method.immutable === null) continue;
      if (outcome.method.immutable.block !== null && this.#finalized === undefined) {
        this.#finalized = await this.#askForFinalized(answer.transport);
        // This result may have come before its block was final.
        continue;
      }
      const change = this.#compare(outcome, response);
      if (change !== undefined) changes.push(change);
    }
    return changes;
  }

  #compare(call: Call, response: JsonObject): string | undefined {
    if (!isFinal(call, response, this.#finalized ?? null)) return undefined;
    const key = `${call.method.name} ${canonicalText(printExact(call.params))}`;
    const before = this.#results.get(key);
    if (before !== undefined) return findDifference(before, response, 'result', { isExact: true });
    this.#charactersLeft -= key.length + printExact(response).length;
    if (this.#charactersLeft > 0) this.#results.set(key, response);
    return undefined;
  }

  async #askForFinalized(transport: TransportName): Promise<bigint | null> {
    const { finalizedBlock } = this.#contract;
    if (finalizedBlock === null) return null;
    const { method, params, pointer } = finalizedBlock;
    const id = '"finalized"';
    const outcome = { kind: 'recorded' } as const;
    const body = callText(method, params, id);
    const probe = messageProbe('the finalized block', body, [{ id, outcome }]);
    const [text = ''] = (await this.#send(probe, transport)).texts;
    const response = parseText(text);
    return isObject(response) ? blockNumber(valueAt(response['result'] ?? null, pointer)) : null;
  }
}

/** Checks whether the document says that the result of a response no longer changes. */
export function isFinal(
  { method, params }: Call,
  { result = null }: JsonObject,
  finalized: bigint | null,
): boolean {
  const { immutable } = method;
  if (immutable === null || result === null) return false;
  if (immutable.block === null) return true;
  const { in: place, pointer } = immutable.block;
  const from = place === 'result' ? result : positionalParams(method, params);
  const number = blockNumber(valueAt(from, pointer));
  return number !== null && finalized !== null && number <= finalized;
}

/** Returns a number of a block: an integer, decimal digits or a quantity; null for anything else. */
function blockNumber(value: Json | undefined): bigint | null {
  const text = typeof value === 'number' ? printExact(value) : value;
  return typeof text === 'string' && /^(?:0x[\da-f]{1,64}|\d{1,78})$/i.test(text)
    ? BigInt(text)
    : null;
}
