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
}

export type SocketConstructor = new (url: string) => Socket;

/** The values of `readyState` before a socket closes (WHATWG WebSockets, section 3.1). */
export const CONNECTING = 0;
export const OPEN = 1;

/**
 * The runtime's own WebSocket.
 * @throws TypeError where there is none (Node before 22).
 */
export function runtimeSocket(): SocketConstructor {
  const found: SocketConstructor | undefined = globalThis.WebSocket;
  if (found !== undefined) return found;
  throw new TypeError(
    'this runtime has no WebSocket: pass one, as in webSocket({ url, WebSocket }) with that of the ws package',
  );
}
