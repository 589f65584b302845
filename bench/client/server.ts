/** A quick JSON-RPC server over HTTP and WebSocket, in a process of its own. */
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';
import { answerParent } from '../parent.ts';
import { collectBody, listen } from '../servers/http.ts';

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

// Bytes, not text: the time of the server limits what can be seen of the clients.
const HEAD = Buffer.from('{"jsonrpc":"2.0","id":');
const TAIL = Buffer.from(`,"result":${RESULT}}`);
const [OPEN, COMMA, CLOSE] = ['[', ',', ']'].map((text) => Buffer.from(text));

const answerOne = ({ id }: Request): Buffer[] => [HEAD, Buffer.from(JSON.stringify(id)), TAIL];

/** The answer, or null for a call that is never answered. */
function answer(text: string): Buffer | null {
  const request = JSON.parse(text) as Request | readonly Request[];
  const calls = [request].flat() as Request[];
  if (calls[0]!.method === 'eth_getProof') return null;
  if (!Array.isArray(request)) return Buffer.concat(answerOne(calls[0]!));
  const pieces = calls.flatMap((each) => [COMMA!, ...answerOne(each)]);
  return Buffer.concat([OPEN!, ...pieces.slice(1), CLOSE!]);
}

const server = createServer((request, response) => {
  collectBody(request, (text) => {
    const body = answer(text.toString());
    if (body === null) return;
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  });
});
const sockets = new WebSocketServer({ server, maxPayload: 64 * 1024 * 1024 });
sockets.on('connection', (socket) => {
  socket.on('message', (data: Buffer) => {
    const body = answer(data.toString());
    if (body !== null) socket.send(body, { binary: false });
  });
});
answerParent({});
listen(server);
