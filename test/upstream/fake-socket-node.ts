import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import type { NodeRequest } from './fake-node.ts';
import { probeAnswer } from './probe-answer.ts';

/** What a fake node does with a request: a result as JSON text, or whatever it likes. */
export type SocketBehaviour = (request: NodeRequest, socket: WebSocket) => string | undefined;

export interface FakeSocketNode {
  readonly url: URL;
  /** Of callers; probes are answered by the node itself. */
  readonly requests: NodeRequest[];
  readonly probes: NodeRequest[];
  readonly handshakes: IncomingMessage[];
  readonly sockets: ReadonlySet<WebSocket>;
  behave(behaviour: SocketBehaviour): void;
  /** Replaces what the node tells of itself. */
  tell(answer: (request: NodeRequest) => string | undefined): void;
  /** Cuts every connection. */
  cut(): void;
  stop(): Promise<void>;
  /** Listens again, on the same port. */
  restart(): Promise<void>;
}

/** A node of the test's own, spoken to over WebSocket. */
export async function startFakeSocketNode(
  behaviour: SocketBehaviour = () => '"ok"',
): Promise<FakeSocketNode> {
  let current = behaviour;
  let told: (request: NodeRequest) => string | undefined = probeAnswer;
  const requests: NodeRequest[] = [];
  const probes: NodeRequest[] = [];
  const handshakes: IncomingMessage[] = [];
  let server: WebSocketServer;
  const listen = async (port: number): Promise<number> => {
    server = new WebSocketServer({ port, host: '127.0.0.1' });
    server.on('connection', (socket, handshake) => {
      handshakes.push(handshake);
      socket.on('error', () => undefined);
      socket.on('message', (data) => receive(socket, String(data)));
    });
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const receive = (socket: WebSocket, text: string): void => {
    const request = { ...(JSON.parse(text) as Omit<NodeRequest, 'text'>), text };
    const known = told(request);
    (known === undefined ? requests : probes).push(request);
    const result = known ?? current(request, socket);
    if (result !== undefined)
      socket.send(`{"jsonrpc":"2.0","id":${request.id},"result":${result}}`);
  };
  const cut = (): void => {
    for (const socket of server.clients) socket.terminate();
  };
  const stop = async (): Promise<void> => {
    cut();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  const port = await listen(0);
  onTestFinished(stop);
  return {
    url: new URL(`ws://127.0.0.1:${port}/rpc/0123456789abcdef?token=secret`),
    requests,
    probes,
    handshakes,
    get sockets() {
      return server.clients;
    },
    behave: (next) => {
      current = next;
    },
    tell: (next) => {
      told = next;
    },
    cut,
    stop,
    restart: () => listen(port).then(() => undefined),
  };
}
