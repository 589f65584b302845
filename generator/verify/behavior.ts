import type { Json, JsonObject } from '../../common/json/value.ts';
import { textAt } from '../model/member.ts';
import { objectAt } from '../schema/document-schemas.ts';

/** Behavior of a service that OpenRPC itself cannot describe (`x-behavior`). */
export interface Behavior {
  /** Whether responses of a batch are in the order of its requests (`batchOrder`). */
  readonly hasBatchOrder: boolean;
  /** Response header with the credits of a call (`costHeader`), in lower case; or null. */
  readonly costHeader: string | null;
  /** Where the credits that an account has used are read (`usage`), or null. */
  readonly usage: UsagePlace | null;
  /** Variable of the server URLs that holds the API key (`keyVariable`), or null. */
  readonly keyVariable: string | null;
  /** The call that returns the newest finalized block (`finalizedBlock`), or null. */
  readonly finalizedBlock: FinalizedBlock | null;
  /** Codes of errors that nodes behind the service choose (`nodeErrorCodes`). */
  readonly nodeErrorCodes: ReadonlySet<number>;
}

interface UsagePlace {
  /** Starts with a slash or a question mark and is appended to the HTTP URL of the server; a GET returns an object. */
  readonly path: string;
  /** JSON pointer to the used credits. */
  readonly pointer: string;
}

interface FinalizedBlock {
  readonly method: string;
  readonly params: Json;
  /** JSON pointer to the number of the block in the result. */
  readonly pointer: string;
}

/** Reads the extensions of a document. */
export function readBehavior(extensions: JsonObject): Behavior {
  const behavior = objectAt(extensions, 'x-behavior');
  const { nodeErrorCodes } = behavior;
  return {
    hasBatchOrder: behavior['batchOrder'] === 'request',
    costHeader: textAt(behavior, 'costHeader').toLowerCase() || null,
    usage: usageOf(behavior),
    keyVariable: textAt(behavior, 'keyVariable') || null,
    finalizedBlock: finalizedBlockOf(behavior),
    nodeErrorCodes: new Set(Array.isArray(nodeErrorCodes) ? (nodeErrorCodes as number[]) : []),
  };
}

function finalizedBlockOf(behavior: JsonObject): FinalizedBlock | null {
  const { method, params = [], result } = objectAt(behavior, 'finalizedBlock');
  if (typeof method !== 'string' || typeof result !== 'string') return null;
  return { method, params, pointer: result };
}

function usageOf(behavior: JsonObject): UsagePlace | null {
  const { path, used } = objectAt(behavior, 'usage');
  // Anything else could become part of the host, which gets the headers of the user.
  if (typeof path !== 'string' || !/^[/?]/.test(path)) return null;
  return typeof used === 'string' ? { path, pointer: used } : null;
}
