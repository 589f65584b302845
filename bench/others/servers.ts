import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { startChild } from '../child-process.ts';

export interface ServerRow {
  readonly message: string;
  /** A result, the code of an error, or how the server fails. */
  readonly ours: string;
  readonly theirs: string;
}

const require = createRequire(import.meta.url);
const documentPath = join(
  dirname(require.resolve('@open-rpc/examples/package.json')),
  'build/service-descriptions/simple-math-openrpc.json',
);

/** Texts, and what each is an example of. */
const messages: readonly (readonly [name: string, text: string])[] = [
  ['a call', '{"jsonrpc":"2.0","id":1,"method":"addition","params":[1,2]}'],
  ['text that is not JSON', 'hello'],
  ['a batch of null', '[null]'],
  ['a call without params', '{"jsonrpc":"2.0","id":1,"method":"addition"}'],
  ['a notification', '{"jsonrpc":"2.0","method":"addition","params":[1,2]}'],
  [
    'a parameter of the wrong type',
    '{"jsonrpc":"2.0","id":1,"method":"addition","params":["1",2]}',
  ],
];

/** Sends each message over a WebSocket to a server of its own. */
export async function compareServers(): Promise<readonly ServerRow[]> {
  const rows: ServerRow[] = [];
  for (const [message, text] of messages) {
    rows.push({
      message,
      ours: await sendTo(
        [
          fileURLToPath(new URL('../../bin/specgate.js', import.meta.url)),
          'mock',
          documentPath,
          '--port',
          '0',
          '--format',
          'json',
        ],
        text,
      ),
      theirs: await sendTo(
        [fileURLToPath(new URL('../servers/open-rpc-websocket.ts', import.meta.url)), documentPath],
        text,
      ),
    });
  }
  return rows;
}

const ANSWER_MS = 3_000;
const DYING_MS = 300;

async function sendTo(args: readonly string[], text: string): Promise<string> {
  const server = await startChild(args[0]!, args);
  try {
    const socket = new WebSocket((JSON.parse(server.firstLine) as { ws: string }).ws);
    const answer = await new Promise<string>((resolve) => {
      const timer = setTimeout(() => resolve('no answer'), ANSWER_MS);
      const end = (said: string): void => {
        clearTimeout(timer);
        resolve(said);
      };
      socket.on('open', () => socket.send(text));
      socket.on('message', (data: Buffer) => end(summarize(data.toString())));
      socket.on('error', () => end('the connection is lost'));
      socket.on('close', () => end('the connection is lost'));
    });
    socket.close();
    // A process may take a moment to end.
    const hasEnded = await Promise.race([
      server.ended.then(() => true),
      new Promise<false>((resolve) => setTimeout(() => resolve(false), DYING_MS)),
    ]);
    return hasEnded ? 'the process ends' : answer;
  } finally {
    await server.stop();
  }
}

interface Reply {
  readonly error?: { readonly code: number };
}

function summarize(text: string): string {
  const reply = JSON.parse(text) as Reply | readonly Reply[];
  const one = (Array.isArray(reply) ? reply[0] : reply) as Reply;
  // One of the servers answers with a random result.
  return one.error === undefined ? 'a result' : `error ${one.error.code}`;
}
