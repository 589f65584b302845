import { sendHttp } from './http.ts';
import type { Call, Outcome } from './outcome.ts';
import { sendWebSocket } from './web-socket.ts';

export type Transport = 'http' | 'websocket';

interface Sent extends Omit<Call, 'url'> {
  readonly transport: Transport;
  readonly http: string | null;
  readonly ws: string | null;
}

/** A method no service has: it is refused without being charged, or with the reason that counts. */
const PROBE = '{"jsonrpc":"2.0","id":1,"method":"rpc.probe","params":[]}';

/**
 * Makes a call. Where a socket is not opened, HTTP is asked why, since browsers hide the answer to
 * the upgrade: a refused key comes out as the error it is.
 */
export async function send({ transport, http, ws, ...call }: Sent): Promise<Outcome> {
  if (transport === 'http') return sendHttp({ ...call, url: http! });
  const outcome = await sendWebSocket({ ...call, url: ws! });
  if (outcome.kind !== 'failure' || outcome.reason !== 'refused' || http === null) return outcome;
  const probed = await sendHttp({ ...call, body: PROBE, url: http });
  if (probed.kind === 'failure') return probed;
  if (probed.status === 200 || probed.status === 204) {
    return {
      ...outcome,
      mend: 'HTTP does answer at this network: call over HTTP, or see whether something on the way blocks WebSocket.',
    };
  }
  return {
    ...probed,
    note: 'The WebSocket was refused, and a browser does not say why. Asked again over HTTP, the service says:',
  };
}
