import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { probeAnswer } from './probe-answer.ts';

export interface NodeRequest {
  readonly id: number;
  readonly method: string;
  readonly params: unknown[];
  /** The bytes of the request. */
  readonly text: string;
}

/** Answers a request with a result as JSON text, or writes the response itself. */
export type Behavior = (
  request: NodeRequest,
  response: ServerResponse,
) => string | undefined | Promise<string | undefined>;

export interface FakeNode {
  readonly url: URL;
  readonly requests: NodeRequest[];
  /** Replaces the behavior of the node. */
  behave(behavior: Behavior): void;
  /** Replaces the answers to probes; requests without one go to the behavior. */
  answerProbes(answer: typeof probeAnswer): void;
  stop(): Promise<void>;
}

/** Starts a node that answers probes itself and other requests by its behavior. */
export async function startFakeNode(behavior: Behavior = () => '"ok"'): Promise<FakeNode> {
  let current = behavior;
  let probes = probeAnswer;
  const requests: NodeRequest[] = [];
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    if (text.startsWith('[')) return void response.writeHead(400).end('no batches');
    const parsed = { ...(JSON.parse(text) as Omit<NodeRequest, 'text'>), text };
    const known = probes(parsed);
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
    answerProbes: (next) => {
      probes = next;
    },
    stop,
  };
}

/** Answers with an error object instead of a result. */
export function nodeError(code: number, message: string, data?: unknown): Behavior {
  return ({ id }, response) => {
    response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } }));
    return undefined;
  };
}
