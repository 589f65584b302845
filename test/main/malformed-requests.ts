import { KEY } from './support.ts';

const POST = 'HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nconnection: close\r\n';
const UPGRADE = 'connection: upgrade\r\nupgrade: websocket\r\n';

/** The bytes of malformed requests, with the key in different places. */
export const mishaps: Record<string, string> = {
  'an extra path segment': `POST /v3/${KEY}/x ${POST}content-length: 0\r\n\r\n`,
  'another version': `POST /V3/${KEY} ${POST}content-length: 0\r\n\r\n`,
  'two slashes': `POST //v3//${KEY} ${POST}content-length: 0\r\n\r\n`,
  'an escape': `POST /v3%2F${KEY} ${POST}content-length: 0\r\n\r\n`,
  'a NUL after it': `POST /v3/${KEY}%00 ${POST}content-length: 0\r\n\r\n`,
  'letters after it': `POST /v3/${KEY}é ${POST}content-length: 0\r\n\r\n`,
  'in the query': `POST /v3/?key=${KEY} ${POST}content-length: 0\r\n\r\n`,
  'an absolute address': `POST http://u:${KEY}@x/v3/${KEY} ${POST}content-length: 0\r\n\r\n`,
  'as the host': `POST /v3/${KEY} HTTP/1.1\r\nhost: ${KEY}\r\nconnection: close\r\n\r\n`,
  'as the method': `${KEY} /v3/${KEY} ${POST}\r\n`,
  'a known method': `DELETE /v3/${KEY} ${POST}\r\n`,
  'as the media type': `POST /v3/${KEY} HTTP/1.1\r\nhost: x\r\ncontent-type: ${KEY}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
  'as the origin': `POST /v3/${KEY} ${POST}origin: http://${KEY}\r\ncontent-length: 1\r\n\r\n{`,
  'as the request id': `POST /v3/${KEY} ${POST}x-request-id: ${KEY}\r\ncontent-length: 1\r\n\r\n{`,
  'around the request id': `POST /v3/${KEY} ${POST}x-request-id: a-${KEY}\r\ncontent-length: 1\r\n\r\n{`,
  'as the trace': `POST /v3/${KEY} ${POST}traceparent: ${KEY}\r\ncontent-length: 1\r\n\r\n{`,
  'no HTTP': `${KEY}\r\n\r\n`,
  'a broken header': `POST /v3/${KEY} HTTP/1.1\r\n${KEY}\r\n\r\n`,
  'headers too large': `POST /v3/${KEY} ${POST}x: ${KEY.repeat(2_000)}\r\n\r\n`,
  'a body too large': `POST /v3/${KEY} ${POST}content-length: 30000000\r\n\r\n${KEY}`,
  'a body cut short': `POST /v3/${KEY} ${POST}content-length: 100\r\n\r\n${KEY}`,
  'an invalid chunk': `POST /v3/${KEY} ${POST}transfer-encoding: chunked\r\n\r\n${KEY}\r\n`,
  'usage of an unknown key': `GET /v3/${KEY}x/usage ${POST}\r\n`,
  'an upgrade elsewhere': `GET /v3/${KEY} HTTP/1.1\r\nhost: x\r\n${UPGRADE}\r\n`,
  'an upgrade without a nonce': `GET /ws/v3/${KEY} HTTP/1.1\r\nhost: x\r\n${UPGRADE}\r\n`,
  'an upgrade by POST': `POST /ws/v3/${KEY} HTTP/1.1\r\nhost: x\r\n${UPGRADE}\r\n`,
  'an upgrade with an unknown key': `GET /ws/v3/${KEY}x HTTP/1.1\r\nhost: x\r\n${UPGRADE}\r\n`,
  'an upgrade with odd extensions': `GET /ws/v3/${KEY} HTTP/1.1\r\nhost: x\r\n${UPGRADE}sec-websocket-version: 99\r\nsec-websocket-key: ${KEY}\r\nsec-websocket-extensions: ${KEY};;\r\n\r\n`,
};
