/** A quick JSON-RPC server, as a process of its own: prints its addresses, ends with its parent. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

/** As large as a block with a few transactions' hashes. */
const RESULT = JSON.stringify({
  hash: `0x${'ab'.repeat(32)}`,
  logsBloom: `0x${'00'.repeat(256)}`,
  transactions: Array.from({ length: 5 }, (_, index) => `0x${String(index).repeat(64)}`),
});

interface Request {
  readonly id: unknown;
  readonly method: string;
}

const writeOne = ({ id }: Request): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${RESULT}}`;

/** The answer, or null for a call that is never answered. */
function answer(text: string): string | null {
  const request = JSON.parse(text) as Request | readonly Request[];
  const first = (Array.isArray(request) ? request[0] : request) as Request;
  if (first.method === 'eth_getProof') return null;
  return Array.isArray(request) ? `[${request.map(writeOne).join()}]` : writeOne(first);
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const text = answer(Buffer.concat(chunks).toString());
    if (text === null) return;
    response.setHeader('content-type', 'application/json');
    response.end(text);
  });
});
const sockets = new WebSocketServer({ server, maxPayload: 64 * 1024 * 1024 });
sockets.on('connection', (socket) => {
  socket.on('message', (data: Buffer) => {
    const text = answer(data.toString());
    if (text !== null) socket.send(text);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.stdin.on('end', () => process.exit()).resume();
