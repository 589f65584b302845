import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Load, OnAnswer, Send } from './drive.ts';
import { HttpConnection } from './http-connection.ts';

/** A connection that sends one request at a time. */
interface Caller {
  post(body: string, onAnswer: OnAnswer): void;
}

/** Opens as many connections as the load has, or takes those that are open. */
export type OpenCallers = (load: Load) => Promise<Send>;

/** Keeps the connections of each load open, as callers do. */
export function createCallers(): OpenCallers {
  const opened = new Map<string, Promise<Caller[]>>();
  return async (load) => {
    const key = `${load.connections} ${load.url}`;
    const callers = opened.get(key) ?? openCallers(load);
    opened.set(key, callers);
    return sendOver(await callers, createBodies(load));
  };
}

function openCallers({ url, connections }: Load): Promise<Caller[]> {
  return Promise.all(
    Array.from({ length: connections }, () =>
      url.startsWith('ws:') ? openSocket(url) : new HttpConnection(new URL(url)),
    ),
  );
}

async function openSocket(url: string): Promise<Caller> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  let waiting: OnAnswer | undefined;
  const end: OnAnswer = (status, bytes) => {
    const onAnswer = waiting;
    waiting = undefined;
    onAnswer?.(status, bytes);
  };
  socket.on('message', (data: Buffer) => end(200, data.length));
  socket.on('close', () => end(0, 0));
  await once(socket, 'open');
  return {
    post(body, onAnswer) {
      waiting = onAnswer;
      socket.send(body);
    },
  };
}

function sendOver(callers: readonly Caller[], nextBody: () => string): Send {
  const free = [...callers];
  const waiting: OnAnswer[] = [];
  const send = (caller: Caller, onAnswer: OnAnswer): void => {
    caller.post(nextBody(), (status, bytes) => {
      const first = waiting.shift();
      if (first === undefined) free.push(caller);
      else send(caller, first);
      onAnswer(status, bytes);
    });
  };
  return (onAnswer) => {
    const caller = free.pop();
    if (caller === undefined) waiting.push(onAnswer);
    else send(caller, onAnswer);
  };
}

/** The last digits of a hash or a block number. */
const CHANGING = /(?<=0x[\da-f]{2,})[\da-f]{5}(?=")/;
const VALUES = 16 ** 5;
let requests = 0;

/** Returns a function that writes the next body: it repeats itself only after a million requests. */
function createBodies({ body, isRepeated }: Load): () => string {
  const parts = isRepeated === true ? [body] : body.split(CHANGING);
  return () => {
    requests = (requests + 1) % VALUES;
    return parts.join(requests.toString(16).padStart(5, '0'));
  };
}
