/** The part of the standard `WebSocket` that is used; the `ws` package's class has it too. */
export interface Socket {
  readonly readyState: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'open', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'error', listener: (event: object) => void): void;
  addEventListener(
    type: 'close',
    listener: (event: { readonly code: number; readonly reason: string }) => void,
  ): void;
  /** Only in implementations that can send control frames, such as `ws`. */
  ping?(): void;
  on?(event: 'pong', listener: () => void): unknown;
}

/** The standard class ignores the options, which are those of the `ws` package. */
export type SocketConstructor = new (
  url: string,
  protocols: string[],
  options: { readonly maxPayload: number },
) => Socket;

/** Checks the connection if the socket cannot ping. Any response will do, even an error. */
const PROBE = '{"jsonrpc":"2.0","id":0,"method":"rpc.ping"}';

/**
 * Probes an open socket that is silent for `heartbeatMs`, and calls `onDeath` if it stays silent for the
 * same time again.
 * @returns a function that stops watching.
 */
export function watchSocket(socket: Socket, heartbeatMs: number, onDeath: () => void): () => void {
  let silentTicks = 0;
  const reset = (): void => {
    silentTicks = 0;
  };
  socket.addEventListener('message', reset);
  socket.on?.('pong', reset);
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
