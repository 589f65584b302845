import { TransportError } from './client-error.ts';

/** The socket could not be opened. A refused upgrade (a wrong key) looks the same to a browser. */
export function notOpened(where: string, detail: string | null, cause?: unknown): TransportError {
  return new TransportError('unreachable', {
    what: `the WebSocket did not open${detail === null ? '' : `: ${detail}`}`,
    where,
    mend: 'check the address, the key in it and the network',
    cause,
  });
}

/** The other side, or the network, closed the socket. */
export function closedThere(
  where: string,
  event: { readonly code: number; readonly reason: string },
  cause?: unknown,
): TransportError {
  const reason = event.reason === '' ? '' : ` ${event.reason}`;
  return new TransportError('closed', {
    what: `the WebSocket was closed by the other side (${event.code}${reason})`,
    where,
    mend: 'call again to connect anew; whether the server acted on this call is unknown',
    cause,
  });
}

/** The client's own `close()` was called. */
export function closedHere(where: string): TransportError {
  return new TransportError('closed', {
    what: 'the client was closed by its own close()',
    where,
    mend: 'make a new client for further calls',
  });
}
