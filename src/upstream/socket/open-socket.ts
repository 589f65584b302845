import { WebSocket } from 'ws';
import { limitKeyUpdatesOf } from '../../time/key-updates.ts';
import { MAX_INFORMATIONAL } from '../limits.ts';

interface SocketOptions {
  readonly url: URL;
  /** Sent with the opening handshake; may contain secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** Maximum size of a message. */
  readonly message_bytes: number;
  /** Called once, when the node has sent too many 1xx responses before the one to the handshake. */
  readonly onTooManyInformational: () => void;
}

/**
 * By default, 60 pings that arrive at once close the connection, with the calls of others. The message gate limits
 * them. The types of `ws` lack the option.
 */
const UNLIMITED_PONGS = { maxPendingAutoPongs: 0 };

/** Opens a WebSocket to a node. */
export function openSocket(options: SocketOptions): WebSocket {
  const { url, headers, message_bytes, onTooManyInformational } = options;
  const socket = new WebSocket(url, {
    headers,
    maxPayload: message_bytes,
    perMessageDeflate: false,
    ...UNLIMITED_PONGS,
    // The JSON scanner checks the encoding.
    skipUTF8Validation: true,
    finishRequest: (request) => {
      let informational = 0;
      request.on('information', () => {
        informational += 1;
        if (informational === MAX_INFORMATIONAL + 1) onTooManyInformational();
      });
      request.end();
    },
  });
  return socket.once('upgrade', (response) => limitKeyUpdatesOf(response.socket));
}
