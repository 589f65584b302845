// A pass-through as it is usually written: fastify takes the request, undici asks the node, and the
// body goes back as one buffer.
import fastify from 'fastify';
import { Pool } from 'undici';
import { KEEP_ALIVE_MS } from './http.ts';

const MAX_BODY_BYTES = 16 * 1024 * 1024;

const node = new URL(process.argv[2]!);
const pool = new Pool(node.origin, { connections: 128, pipelining: 1 });
const headers = { 'content-type': 'application/json' };

const app = fastify({ keepAliveTimeout: KEEP_ALIVE_MS, bodyLimit: MAX_BODY_BYTES });
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
app.post('/', async (request, reply) => {
  const body = request.body as Buffer;
  const response = await pool.request({ method: 'POST', path: '/', headers, body });
  const result = Buffer.from(await response.body.arrayBuffer());
  return reply.code(response.statusCode).header('content-type', 'application/json').send(result);
});
console.log(`${await app.listen({ host: '127.0.0.1', port: 0 })}/`);
