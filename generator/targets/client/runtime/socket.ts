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
  /** Only where frames of the protocol itself can be sent, as with the `ws` package. */
  ping?(): void;
  on?(event: 'pong', listener: () => void): unknown;
}

export type SocketConstructor = new (url: string) => Socket;
