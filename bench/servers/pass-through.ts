// The measure of all others: what reaches Node's HTTP server goes to an undici pool, and what comes
// back goes out, bytes untouched. It checks nothing and counts nothing.
import { createServer, type ServerResponse } from 'node:http';
import { Pool, type Dispatcher } from 'undici';
import { collectBody, listen } from './http.ts';

const node = new URL(process.argv[2]!);
const pool = new Pool(node.origin, { connections: 128, pipelining: 1 });
/** Response headers that are passed on. */
const PASSED = ['content-type', 'content-length'];
const headers = ['content-type', 'application/json'];

function passOn(response: ServerResponse): Dispatcher.DispatchHandler {
  return {
    onRequestStart: () => undefined,
    onResponseStart(_controller, status, fields) {
      response.statusCode = status;
      for (const name of PASSED) response.setHeader(name, fields[name] ?? '');
    },
    onResponseData(controller, chunk) {
      // What a caller that has left does not read must not keep a connection of the pool.
      if (response.write(chunk) || response.destroyed) return;
      controller.pause();
      const resume = (): void => {
        response.off('drain', resume).off('close', resume);
        controller.resume();
      };
      response.on('drain', resume).on('close', resume);
    },
    onResponseEnd: () => void response.end(),
    onResponseError: () => void response.destroy(),
  };
}

listen(
  createServer((request, response) => {
    collectBody(request, (body) =>
      pool.dispatch({ method: 'POST', path: '/', headers, body }, passOn(response)),
    );
  }),
);
