// The node behind every server under test: JSON-RPC over HTTP and WebSocket, answered from memory.
// Over HTTP calls take as many milliseconds as the first argument says; none when it is absent.
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';
import { answerParent } from '../parent.ts';
import { collectBody, listen } from '../servers/http.ts';
import { answer } from './answer.ts';

answerParent({});

const delay_ms = Number(process.argv[2] ?? 0);

const server = createServer((request, response) => {
  collectBody(request, (body) => {
    const text = body.toString();
    const json = Buffer.from(answer(text));
    const respond = (): void => {
      response.writeHead(200, ['content-type', 'application/json', 'content-length', json.length]);
      response.end(json);
    };
    const isCall = text.includes('eth_getTransactionByHash');
    if (delay_ms > 0 && isCall) setTimeout(respond, delay_ms);
    else respond();
  });
});
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on('connection', (socket) => {
  socket.on('message', (data) => socket.send(answer(String(data))));
});
listen(server);
