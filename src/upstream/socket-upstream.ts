import type { OpenUpstream } from './opened.ts';
import { SocketLine, type SocketLineOptions } from './socket/socket-line.ts';

/**
 * A node spoken to by JSON-RPC over one WebSocket that all calls share. A socket that is lost fails
 * the calls on it as a broken connection and is dialled again, later each time. Messages are whole,
 * so results are never streamed; one that is too large costs only the call it answers.
 */
export function openSocketUpstream(options: SocketLineOptions): OpenUpstream {
  const line = new SocketLine(options);
  return {
    call: (call, signal) => line.ask(call, signal),
    start: (guard) => line.start(guard),
    close: () => line.close(),
  };
}
