import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import type { NodeRequest } from './fake-node.ts';
import { probeAnswer } from './probe-answer.ts';

/** Answers a request with a result as JSON text, or sends messages itself. */
export type SocketBehavior = (request: NodeRequest, socket: WebSocket) => string | undefined;

export interface FakeSocketNode {
  readonly url: URL;
  /** From callers, without probes. */
  readonly requests: NodeRequest[];
  readonly probes: NodeRequest[];
  readonly handshakes: IncomingMessage[];
  readonly sockets: ReadonlySet<WebSocket>;
  behave(behavior: SocketBehavior): void;
  /** Replaces the answers to probes. */
  answerProbes(answer: (request: NodeRequest) => string | undefined): void;
  /** Refuses further connections while so many are open. */
  allowSockets(max: number): void;
  /** Terminates all connections. */
  cut(): void;
  stop(): Promise<void>;
  /** Listens again, on the same port. */
  restart(): Promise<void>;
}

/** Starts a node with a WebSocket server. */
export async function startFakeSocketNode(
  behavior: SocketBehavior = () => '"ok"',
  { autoPong = true, maxPayload = 2 ** 30 } = {},
): Promise<FakeSocketNode> {
  let current = behavior;
  let max_sockets = Infinity;
  let answerProbe: (request: NodeRequest) => string | undefined = probeAnswer;
  const requests: NodeRequest[] = [];
  const probes: NodeRequest[] = [];
  const handshakes: IncomingMessage[] = [];
  let server: WebSocketServer;
  const listen = async (port: number): Promise<number> => {
    const verifyClient = (): boolean => server.clients.size < max_sockets;
    server = new WebSocketServer({ port, host: '127.0.0.1', autoPong, maxPayload, verifyClient });
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
    const known = answerProbe(request);
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
    answerProbes: (next) => {
      answerProbe = next;
    },
    allowSockets: (max) => {
      max_sockets = max;
    },
    cut,
    stop,
    restart: () => listen(port).then(() => undefined),
  };
}
