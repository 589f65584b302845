import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { probeAnswer } from './probe-answer.ts';

export interface NodeRequest {
  readonly id: number;
  readonly method: string;
  readonly params: unknown[];
  /** The request's bytes. */
  readonly text: string;
}

/** What a fake node does with a request: a result as JSON text, or whatever it likes. */
export type Behaviour = (
  request: NodeRequest,
  response: ServerResponse,
) => string | undefined | Promise<string | undefined>;

export interface FakeNode {
  readonly url: URL;
  readonly requests: NodeRequest[];
  /** Replaces what the node does. */
  behave(behaviour: Behaviour): void;
  /** Replaces what the node tells of itself; undefined leaves the request to its behaviour. */
  tell(answer: typeof probeAnswer): void;
  stop(): Promise<void>;
}

/** A node of the test's own; answers probes by itself and everything else as it is told. */
export async function startFakeNode(behaviour: Behaviour = () => '"ok"'): Promise<FakeNode> {
  let current = behaviour;
  let told = probeAnswer;
  const requests: NodeRequest[] = [];
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const parsed = { ...(JSON.parse(text) as Omit<NodeRequest, 'text'>), text };
    const known = told(parsed);
    if (known === undefined) requests.push(parsed);
    const result = (await current(parsed, response)) ?? known;
    if (response.writableEnded || response.destroyed || response.headersSent) return;
    if (result === undefined) return;
    response.setHeader('content-type', 'application/json');
    response.end(`{"jsonrpc":"2.0","id":${parsed.id},"result":${known ?? result}}`);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  onTestFinished(stop);
  return {
    url: new URL(`http://127.0.0.1:${port}/rpc?token=secret`),
    requests,
    behave: (next) => {
      current = next;
    },
    tell: (next) => {
      told = next;
    },
    stop,
  };
}

/** Answers with an error object instead of a result. */
export function nodeError(code: number, message: string, data?: unknown): Behaviour {
  return ({ id }, response) => {
    response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } }));
    return undefined;
  };
}
