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
import { serveSteps, type Served } from './serve.ts';
import { prepareTestCoverage, type ToolOutcome } from './test-coverage.ts';

/** What each tool found of a server. */
export interface Outcome {
  readonly name: string;
  readonly isDefect: boolean;
  readonly verify: ToolOutcome;
  /** Of @open-rpc/test-coverage; null if it was not run. */
  readonly testCoverage: ToolOutcome | null;
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
const TIMEOUT_MS = 5_000;

interface EvaluateOptions {
  readonly maxCalls: number;
  readonly seed: number;
  /** Also runs @open-rpc/test-coverage on each server. */
  readonly besideTestCoverage?: boolean;
}

/** Serves each server of a subject and verifies it. */
export async function* evaluate(
  { contract, defects, odd }: Subject,
  { besideTestCoverage = false, ...options }: EvaluateOptions,
): AsyncGenerator<Outcome> {
  const all = [
    ...defects.map((each) => ({ ...each, isDefect: true })),
    ...odd.map((each) => ({ ...each, isDefect: false })),
  ];
  const paths =
    contract.keyVariable === null
      ? { http: '/', ws: '/' }
      : { http: `/v3/${KEY}`, ws: `/ws/v3/${KEY}` };
  const correct = await serveSteps(createReference(contract), { paths });
  const testCoverage = besideTestCoverage
    ? await prepareTestCoverage(contract, correct.http)
    : async () => null;
  await correct.stop();
  for (const { name, change, serve, isDefect } of all) {
    const start = () => serveSteps(createReference(contract, [change]), { paths, ...serve });
    // A server each, as some count their calls.
    const found = await withServer(start, (server) => verifyServer(contract, server, options));
    const other = await withServer(start, ({ http }) => testCoverage(http));
    yield { name, isDefect, verify: found, testCoverage: other };
  }
}

async function withServer<T>(
  start: () => Promise<Served>,
  use: (server: Served) => Promise<T>,
): Promise<T> {
  const server = await start();
  return use(server).finally(() => server.stop());
}

async function verifyServer(
  contract: Contract,
  { http, ws }: Served,
  { maxCalls, seed }: EvaluateOptions,
): Promise<ToolOutcome> {
  const { groups, calls } = await verify(contract, {
    http: { url: http },
    webSocket: { url: ws },
    maxCalls,
    timeout_ms: TIMEOUT_MS,
    failFast: true,
    seed: String(seed),
  });
  const [failure] = groups.map((each) => each.failure);
  const found = failure && `${failure.check}: ${failure.message} (${failure.probe.title})`;
  return { found: found ?? null, calls };
}
