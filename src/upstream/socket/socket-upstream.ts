import { HeldBytes } from '../held-bytes.ts';
import type { OpenUpstream } from '../upstream.ts';
import { IsolatedAccounts } from './isolated-accounts.ts';
import { ReconnectingClient, type SocketUpstreamOptions } from './reconnecting-client.ts';
import { withRequestSize } from './with-request-size.ts';

/**
 * Opens a node that is called over one WebSocket shared by all calls. When the connection is lost,
 * its calls fail and it is opened again with backoff. The accounts of these calls, and an account that
 * fills or blocks the connection, get connections of their own for a while. While large responses arrive,
 * or a slow call blocks the others, these move to a new connection. Results are never streamed; an oversized or malformed response fails
 * only the call it answers.
 */
export function openSocketUpstream(given: Omit<SocketUpstreamOptions, 'held'>): OpenUpstream {
  const url = new URL(given.url);
  url.hash = '';
  const options = { ...given, url, held: new HeldBytes(given.limits.held_bytes) };
  const shared = new ReconnectingClient({
    ...options,
    onLost: (accounts) => isolated.addSuspects(accounts),
    onCrowded: (account) => isolated.addSender(account),
    onOccupied: (account) => isolated.addOccupant(account),
    isShared: true,
    mayConnect: () => true,
  });
  const isolated = new IsolatedAccounts(options, shared);
  return {
    call: withRequestSize((call, signal) => isolated.call(call, signal), given.monotonic_ms),
    start(guard) {
      isolated.start(guard);
      return shared.start({
        ...guard,
        onReady(isReady, detail) {
          if (isReady) isolated.resume();
          else if (shared.isRefused) isolated.giveWay();
          guard.onReady(isReady, detail);
        },
      });
    },
    async close() {
      isolated.close();
      await shared.close();
    },
  };
}
