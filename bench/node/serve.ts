// The node behind every server under test: JSON-RPC over HTTP and WebSocket, answered from memory.
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';
import { answerParent } from '../control/answer-parent.ts';
import { collectBody } from '../servers/collect-body.ts';
import { listenAndTell } from '../servers/listen-and-tell.ts';
import { answer } from './answer.ts';

answerParent({});

const server = createServer((request, response) => {
  collectBody(request, (body) => {
    const json = Buffer.from(answer(body.toString()));
    response.writeHead(200, ['content-type', 'application/json', 'content-length', json.length]);
    response.end(json);
  });
});
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on('connection', (socket) => {
  socket.on('message', (data) => socket.send(answer(String(data))));
});
listenAndTell(server);
