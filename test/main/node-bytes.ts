import { protocol } from '../../src/main/dependencies.ts';
import { startFakeNode, type Behavior, type FakeNode } from '../upstream/fake-node.ts';
import { probeAnswer } from '../upstream/probe-answer.ts';
import { configFor, start, type TestGateway } from './support.ts';

/** Answers calls with the bytes of a node, with the id of the call, and leaves probes to the fake node. */
export function bytes(answer: string): Behavior {
  return (request, response) => {
    if (probeAnswer(request) !== undefined) return undefined;
    response.end(answer.replace('"id":1', `"id":${request.id}`));
    return undefined;
  };
}

interface Answer {
  readonly status: number;
  readonly credits: string | null;
  /** The body as it was sent. */
  readonly text: string;
  readonly body: {
    readonly result?: unknown;
    readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  };
}

interface Bench {
  readonly gateway: TestGateway;
  readonly nodes: readonly FakeNode[];
  ask(method: string, params: readonly unknown[]): Promise<Answer>;
}

/** Starts the gateway of our document with `count` nodes, of which each is called after the one before. */
export async function startBench(count: number): Promise<Bench> {
  const nodes = await Promise.all(Array.from({ length: count }, () => startFakeNode()));
  const config = await configFor(nodes.map(({ url }) => url));
  const upstreams = config.networks[0]!.upstreams.map((each, at) => ({ ...each, tier: at + 1 }));
  const accounts = [{ ...config.accounts[0]!, plan: 'team' }];
  const networks = [{ ...config.networks[0]!, upstreams }];
  const gateway = await start({ ...config, accounts, networks }, { protocol });
  return {
    gateway,
    nodes,
    ask: async (method, params) => {
      const response = await fetch(gateway.rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      const text = await response.text();
      return {
        status: response.status,
        credits: response.headers.get('x-credits-cost'),
        text,
        body: JSON.parse(text) as Answer['body'],
      };
    },
  };
}
