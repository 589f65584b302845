import type { IncomingMessage } from 'node:http';

/** Gives the whole body of a request to `onBody`; never, when the client leaves before its end. */
export function collectBody(request: IncomingMessage, onBody: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => onBody(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
}
