/** A relay between the gateway and a real node: shows what the node is sent, and may change its answers. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RpcAnswer } from './wire.ts';

export interface NodeRequest {
  readonly method: string;
  readonly params: readonly unknown[];
}

export interface Relay {
  readonly url: string;
  /** Requests of the method, oldest first; probes of the gateway are among those of other methods. */
  received(method: string): readonly NodeRequest[];
  /** Changes the answers to a method from now on. */
  change(method: string, change: (answer: RpcAnswer) => object): void;
  stop(): Promise<void>;
}

export async function startRelay(node: string): Promise<Relay> {
  const requests: NodeRequest[] = [];
  const changes = new Map<string, (answer: RpcAnswer) => object>();
  const relay = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const asked = JSON.parse(body.toString()) as NodeRequest;
    requests.push(asked);
    const headers = { 'content-type': 'application/json' };
    const answer = (await (
      await fetch(node, { method: 'POST', headers, body })
    ).json()) as RpcAnswer;
    const changed = changes.get(asked.method)?.(answer) ?? answer;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(changed));
  };
  const server = createServer((request, response) => {
    relay(request, response).catch(() => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: (method) => requests.filter((request) => request.method === method),
    change: (method, change) => changes.set(method, change),
    async stop() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
