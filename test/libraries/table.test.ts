/**
 * Every library, method and transport against `specgate serve` in front of the development network; the
 * guide "Use your own library" holds what works.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startArchiveNode } from '../../src/devnet/archive/index.ts';
import { startEvmNode } from '../../src/devnet/evm/index.ts';
import type { DevnetNode } from '../../src/devnet/node-server.ts';
import { startSolanaNode } from '../../src/devnet/solana/index.ts';
import { removeFolder, serve, type Serving } from '../support/serve.ts';
import { madeSince, readCallsMade } from './calls-made.ts';
import { cases, type NetworkName } from './cases.ts';
import { libraries } from './drivers/index.ts';
import { transportNames, type Library, type Session, type Transport } from './library.ts';
import { compareGuide, type Outcome } from './page.ts';

const NETWORKS: readonly NetworkName[] = ['evm', 'solana', 'archive'];
/** How metrics count a method that does not exist; names of callers are not labels. */
const UNKNOWN_METHOD = 'unknown method_not_found';
const transports = Object.keys(transportNames) as Transport[];

let nodes: DevnetNode[] = [];
let serving: Serving | undefined;

beforeAll(async () => {
  nodes = await Promise.all([startEvmNode(), startSolanaNode(), startArchiveNode()]);
  serving = await serve({
    networks: NETWORKS.map((name, index) => ({
      name,
      family: name === 'solana' ? 'svm' : 'evm',
      listen: { port: 0 },
      upstreams: [{ url: nodes[index]!.httpUrl }],
    })),
    accounts: [
      {
        id: 'app',
        plan: 'custom',
        creditsPerDay: 1_000_000_000,
        callsPerSecond: 100_000,
        keys: [{ key: 'demo' }],
      },
    ],
  });
});

afterAll(async () => {
  await serving?.stop();
  await Promise.all(nodes.map((node) => node.stop()));
  if (serving !== undefined) removeFolder(serving.folder);
});

function urlOf(network: NetworkName, transport: Transport): string {
  const base = serving!.bases[NETWORKS.indexOf(network)]!;
  return transport === 'http' ? `${base}/v3/demo` : `${base.replace('http', 'ws')}/ws/v3/demo`;
}

const outcomes: Outcome[] = [];

/** Makes every call that the library has; returns the errors. */
async function runAll(library: Library, transport: Transport): Promise<readonly string[]> {
  const offered = cases.filter(({ method }) => library.functionOf(method) !== undefined);
  const networks = new Set(offered.map(({ network }) => network));
  const errors: string[] = [];
  const sessions = new Map<NetworkName, Session>();
  try {
    await Promise.all(
      [...networks].map(async (name) => {
        sessions.set(name, await library.open(transport, urlOf(name, transport)));
      }),
    );
    for (const asked of offered) {
      const { method, network } = asked;
      const error = await sessions
        .get(network)!
        .run(asked)
        .then(
          () => undefined,
          (thrown: unknown) => `${method}: ${String(thrown)}`,
        );
      if (error !== undefined) errors.push(error);
      outcomes.push({ client: library, transport, method, works: error === undefined });
    }
  } finally {
    await Promise.all([...sessions.values()].map((session) => session.close()));
  }
  return errors;
}

const columns = libraries.flatMap((library) =>
  transports
    .filter((transport) => library.without[transport] === undefined)
    .map((transport) => ({
      library,
      transport,
      name: `${library.name} ${library.version} over ${transportNames[transport]}`,
    })),
);

describe.each(columns)('$name', ({ library, transport }) => {
  test.skipIf(library.isSkipped === true)(
    'makes every call that it has, and the gateway refuses no other',
    async () => {
      const before = await readCallsMade(serving!.ops);
      expect(await runAll(library, transport)).toEqual([]);
      const made = madeSince(before, await readCallsMade(serving!.ops));
      const offered = cases.filter(({ method }) => library.functionOf(method) !== undefined);
      expect(made).toEqual(expect.arrayContaining(offered.map(({ method }) => `${method} ok`)));
      const allowed = library.refused?.[transport] === undefined ? [] : [UNKNOWN_METHOD];
      const refused = made.filter((name) => !name.endsWith(' ok') && !allowed.includes(name));
      expect(refused).toEqual([]);
    },
  );
});

test.skipIf(libraries.some(({ isSkipped }) => isSkipped === true))(
  'the guide lists what was run',
  () => compareGuide(outcomes),
);
