import type { Socket } from './socket.ts';

/** What asks for a sign of life where a socket cannot ping: any answer will do, an error's too. */
const PROBE = '{"jsonrpc":"2.0","id":0,"method":"rpc.ping"}';

/**
 * Watches an open socket: one that is silent for `heartbeatMs` is asked for a sign of life, and
 * `onDeath` is called when it gives none for as long again.
 * @returns what stops it.
 */
export function watchSocket(socket: Socket, heartbeatMs: number, onDeath: () => void): () => void {
  let silentTicks = 0;
  const hear = (): void => {
    silentTicks = 0;
  };
  socket.addEventListener('message', hear);
  socket.on?.('pong', hear);
  const timer = setInterval(() => {
    silentTicks += 1;
    if (silentTicks > 2) onDeath();
    else if (silentTicks > 1) {
      if (socket.ping === undefined) socket.send(PROBE);
      else socket.ping();
    }
  }, heartbeatMs);
  return () => clearInterval(timer);
}
