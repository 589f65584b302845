import { readContract, type Contract } from '../../generator/verify/contract.ts';
import { verify } from '../../generator/verify/run.ts';
import type { PlainDocument } from '../diff/corpus.ts';
import { toLoaded } from '../diff/document.ts';
import { createChance } from '../diff/instances/instances.ts';
import { createDraw } from '../diff/mutation.ts';
import { accountDefects } from './account-defects.ts';
import { answerDefects } from './answer-defects.ts';
import type { Variation } from './defect.ts';
import { oddServers } from './odd.ts';
import { paramDefects } from './param-defects.ts';
import { protocolDefects } from './protocol-defects.ts';
import { createReference, KEY } from './reference.ts';
import { resultDefects } from './result-defects.ts';
import { serveSteps } from './serve.ts';

/** What verification found of a server. */
export interface Outcome {
  readonly name: string;
  readonly isDefect: boolean;
  /** The first disagreement; null if none was found. */
  readonly found: string | null;
  /** Calls up to the first disagreement, or all. */
  readonly calls: number;
}

export interface Subject {
  readonly contract: Contract;
  readonly defects: readonly Variation[];
  readonly odd: readonly Variation[];
}

/** Makes the broken and the odd servers of a document. */
export async function makeSubject(document: PlainDocument, seed: number): Promise<Subject> {
  const { model } = await toLoaded(document);
  const contract = readContract(model, { writes: true });
  const draw = createDraw(createChance(seed));
  const defects = [
    ...protocolDefects(contract),
    ...accountDefects(contract),
    ...answerDefects(contract),
    ...resultDefects(contract, draw),
    ...(await paramDefects(document, contract, draw)),
  ];
  return { contract, defects, odd: oddServers(contract) };
}

/** Long enough for a busy machine; a broken server may answer nothing. */
const TIMEOUT_MS = 1_000;

/** Serves each server of a subject and verifies it. */
export async function* evaluate(
  { contract, defects, odd }: Subject,
  { maxCalls, seed }: { readonly maxCalls: number; readonly seed: number },
): AsyncGenerator<Outcome> {
  const all = [
    ...defects.map((each) => ({ ...each, isDefect: true })),
    ...odd.map((each) => ({ ...each, isDefect: false })),
  ];
  const paths =
    contract.keyVariable === null
      ? { http: '/', ws: '/' }
      : { http: `/v3/${KEY}`, ws: `/ws/v3/${KEY}` };
  for (const { name, change, serve, isDefect } of all) {
    const served = await serveSteps(createReference(contract, [change]), { paths, ...serve });
    try {
      const { groups, calls } = await verify(contract, {
        http: { url: served.http },
        webSocket: { url: served.ws },
        maxCalls,
        timeout_ms: TIMEOUT_MS,
        failFast: true,
        seed: String(seed),
      });
      const [failure] = groups.map((each) => each.failure);
      const text = failure && `${failure.check}: ${failure.message} (${failure.probe.title})`;
      yield { name, isDefect, found: text ?? null, calls };
    } finally {
      await served.stop();
    }
  }
}
