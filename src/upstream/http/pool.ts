import type { Socket } from 'node:net';
import { type buildConnector, Client, Pool } from 'undici';
import { limitKeyUpdatesOf } from '../../time/key-updates.ts';
import type { UpstreamLimits } from '../limits.ts';
import { PROBE_SLOTS, reservedBeside } from '../fair-slots.ts';
import { Exchange } from './exchange.ts';
import { readInParts } from './read-in-parts.ts';

/** Maximum size of the header and trailer fields of a response. */
const HEADER_BYTES = 8_192;

/** Returns the maximum number of connections to a node. */
export function poolSize({
  upstream_connections,
}: Pick<UpstreamLimits, 'upstream_connections'>): number {
  return upstream_connections + reservedBeside(upstream_connections) + PROBE_SLOTS;
}

/** Opens a pool of connections to a node. Each carries one exchange at a time. */
export function openPool(url: URL, limits: UpstreamLimits): Pool {
  const { upstream_connect_ms } = limits;
  return new Pool(url.origin, {
    connections: poolSize(limits),
    pipelining: 1,
    // HTTP/2 would send the calls of all accounts over one connection, which one call can break.
    allowH2: false,
    // The wrappers of the upstream apply the time limits.
    headersTimeout: 0,
    maxHeaderSize: HEADER_BYTES,
    bodyTimeout: 0,
    connect: { timeout: upstream_connect_ms },
    factory: openClient,
  });
}

/**
 * Opens a client that gives each exchange its socket: undici closes the connection of an aborted request, but
 * not after the response has ended.
 */
function openClient(origin: URL, options: object): Client {
  const { connect } = options as { readonly connect: buildConnector.connector };
  let socket: Socket | undefined;
  const client = new Client(origin, {
    ...options,
    connect(target, done) {
      connect(target, (...connected) => {
        socket = connected[1] ?? undefined;
        if (socket !== undefined) {
          limitKeyUpdatesOf(socket);
          readInParts(socket);
        }
        done(...connected);
      });
    },
  });
  const dispatch = client.dispatch.bind(client);
  client.dispatch = (request, handler) => {
    if (handler instanceof Exchange) handler.currentSocket = () => socket;
    return dispatch(request, handler);
  };
  return client;
}
