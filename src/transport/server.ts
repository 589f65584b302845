import { constants } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  createSecureContext,
  DEFAULT_CIPHERS,
  type SecureContext,
  type Server as TlsServer,
  type TlsOptions,
} from 'node:tls';
import { limitKeyUpdates } from '../time/key-updates.ts';
import type { NetworkService, TransportLimits } from './network-service.ts';
import { MAX_HEADER_FIELDS } from './read-request.ts';
import { keepPaused, lingerBeforeClose } from './stop-reading.ts';
import { TlsHandshakes } from './tls-handshakes.ts';
import { writeInRecords } from './tls-records.ts';

/** Certificate and private key in PEM, and the host names they are for. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  readonly hostNames: readonly string[];
}

/** The first one is for clients that send no server name. */
export type Certificates = readonly [Certificate, ...Certificate[]];

/**
 * Without what lets a client cause a signature or decryption after its first message, which alone takes a
 * turn: TLS 1.2 with an RSA key exchange, and renegotiation. HTTP clients need neither.
 */
const SECURITY = {
  minVersion: 'TLSv1.2',
  ciphers: `${DEFAULT_CIPHERS}:!kRSA`,
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
} satisfies TlsOptions;

/** The certificates of an address. They can be replaced, for new connections. */
class CertificateStore {
  #byHostName: ReadonlyMap<string, SecureContext> = new Map();
  #first: SecureContext;

  /** Throws when a certificate or key is invalid, or when they do not match. */
  constructor(certificates: Certificates) {
    this.#first = this.#load(certificates);
  }

  optionsFor([{ cert, key }]: Certificates): TlsOptions {
    return {
      cert,
      key,
      ...SECURITY,
      SNICallback: (name, done) =>
        done(null, this.#byHostName.get(name.toLowerCase()) ?? this.#first),
    };
  }

  /** Throws as the constructor does, and then changes nothing. */
  replace(server: TlsServer, certificates: Certificates): void {
    this.#first = this.#load(certificates);
    const [{ cert, key }] = certificates;
    server.setSecureContext({ cert, key, ...SECURITY });
  }

  #load(certificates: Certificates): SecureContext {
    const contexts = certificates.map(({ cert, key }) =>
      createSecureContext({ cert, key, ...SECURITY }),
    );
    this.#byHostName = new Map(
      certificates.flatMap(({ hostNames }, index) =>
        hostNames.map((name): [string, SecureContext] => [name, contexts[index]!]),
      ),
    );
    return contexts[0]!;
  }
}

/**
 * Makes a server close connections above its `maxConnections`. Otherwise, a worker process would pass them
 * back to the primary process for another worker, endlessly while all workers are full.
 */
export const DROP_BEYOND_MAX = { dropMaxConnection: true };

const onValidKey = new WeakMap<Duplex, () => void>();

/** Records that a valid key was sent over a connection: it is not closed to make space for others. */
export function recordValidKey(socket: Duplex): void {
  onValidKey.get(socket)?.();
  onValidKey.delete(socket);
}

/**
 * Maximum number of connections over which no valid key was sent, since each may take up to 120 KB of memory. A
 * client that has just connected has had no time to send one, so its connection is not closed for it.
 */
const MAX_WITHOUT_KEY = 1_000;
const TIME_FOR_KEY_ms = 1_000;

interface Anonymous {
  readonly socket: Duplex;
  readonly openedAt_ms: number;
}

/** How long a connection may be idle after the server stops listening: a request may be on its way. */
const LINGER_MS = 100;

/** An HTTP or HTTPS server that keeps track of its connections. */
export class ConnectionServer {
  readonly http: Server | SecureServer;
  /** The event of a connection that is ready for requests. */
  readonly readyEvent: 'connection' | 'secureConnection';
  readonly #certificates: CertificateStore | undefined;
  readonly #connections = new Set<Duplex>();
  /** Connections that are ready for requests. */
  readonly #ready = new Set<Socket>();
  /** Connections over which no valid key was sent, by peer, oldest first. */
  readonly #anonymous = new Map<string, Anonymous>();
  /** Undefined without TLS. */
  readonly #handshakes: TlsHandshakes | undefined;

  #onLastClosed: () => void = () => undefined;

  /** Throws when a certificate cannot be used. */
  constructor(
    { limits, turns }: Pick<NetworkService, 'limits' | 'turns'>,
    certificates: Certificates | undefined,
  ) {
    this.#certificates = certificates && new CertificateStore(certificates);
    const options = {
      connectionsCheckingInterval: Math.min(limits.http_headers_ms, 5_000),
      noDelay: true,
      // Node itself would refuse a request without a Host header, with an empty answer.
      requireHostHeader: false,
      // Ignores other upgrades (h2c, offered by curl --http2 and some Java clients): RFC 9110, 7.8.
      shouldUpgradeCallback: ({ headers }: IncomingMessage) =>
        headers.upgrade?.toLowerCase() === 'websocket',
    };
    this.http =
      certificates === undefined
        ? createServer(options)
        : createSecureServer({
            ...options,
            // The default of an HTTP server without TLS.
            allowHalfOpen: true,
            ...this.#certificates?.optionsFor(certificates),
          });
    this.readyEvent = certificates === undefined ? 'connection' : 'secureConnection';
    // A client that has half-closed its connection still waits for answers. Node has no option for it.
    Object.assign(this.http, { httpAllowHalfOpen: true, ...DROP_BEYOND_MAX });
    // Node drops further headers; one above the maximum shows that there are too many.
    this.http.maxHeadersCount = MAX_HEADER_FIELDS + 1;
    this.apply(limits);
    if (certificates !== undefined) {
      limitKeyUpdates(this.http as SecureServer);
      this.#handshakes = new TlsHandshakes({
        turns,
        timeout_ms: () => this.http.headersTimeout,
        start: takeTlsStart(this.http),
      });
    }
    this.http.on('connection', (socket: Socket) => {
      turns.accepted();
      this.#track(socket);
    });
    this.http.on('secureConnection', (socket) => {
      this.#handshakes?.finish(peerOf(socket));
      lingerBeforeClose(socket);
      writeInRecords(socket);
    });
    this.http.on(this.readyEvent, (socket: Socket) => {
      this.#ready.add(socket);
      keepPaused(socket);
      const peer = peerOf(socket);
      onValidKey.set(socket, () => this.#anonymous.delete(peer));
      socket.once('close', () => this.#ready.delete(socket));
    });
  }

  get port(): number {
    return (this.http.address() as AddressInfo).port;
  }

  apply(limits: TransportLimits): void {
    this.http.headersTimeout = limits.http_headers_ms;
    this.http.requestTimeout = limits.http_request_ms;
    this.http.keepAliveTimeout = limits.http_keep_alive_ms;
    this.http.maxConnections = limits.connections;
  }

  /** Replaces the certificates for new connections. Throws when one cannot be used. */
  renew(certificates: Certificates): void {
    this.#certificates?.replace(this.http as SecureServer, certificates);
  }

  /** Starts to listen; rejects when the address is not available. */
  async listen({ host, port }: { readonly host: string; readonly port: number }): Promise<void> {
    this.http.listen(port, host);
    await once(this.http, 'listening');
  }

  /** Stops listening. Resolves when every connection has closed; idle ones are closed here. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      let silent: readonly Socket[] = [];
      const closing = setInterval(() => {
        this.http.closeIdleConnections();
        for (const socket of silent) if (isSilent(socket)) socket.destroy();
        silent = [...this.#ready].filter(isSilent);
        this.#handshakes?.destroy();
      }, LINGER_MS);
      // `close` of an HTTP server would cut idle connections at once.
      NetServer.prototype.close.call(this.http, () => {
        clearInterval(closing);
        // Stops the timers of the HTTP server; it fails because nothing listens anymore.
        this.http.close();
        // The last sockets may report their end after the server.
        if (this.#connections.size === 0) resolve();
        else this.#onLastClosed = resolve;
      });
    });
  }

  /** Cuts all connections, including those that were upgraded; `before` is called for those that are ready. */
  destroy(before: (socket: Socket) => void): void {
    for (const socket of this.#ready) before(socket);
    for (const socket of this.#connections) socket.destroy();
  }

  /** Makes space for the next connection, so that callers without a key cannot hold all of them, or much memory. */
  #closeAnonymous(): void {
    let isFull = this.#connections.size + 1 >= this.http.maxConnections;
    const old_ms = performance.now() - TIME_FOR_KEY_ms;
    for (const [peer, { socket, openedAt_ms }] of this.#anonymous) {
      const isTooMany = this.#anonymous.size >= MAX_WITHOUT_KEY && openedAt_ms < old_ms;
      if (!isFull && !isTooMany) return;
      isFull = false;
      this.#anonymous.delete(peer);
      socket.destroy();
    }
  }

  #track(socket: Socket): void {
    this.#closeAnonymous();
    this.#connections.add(socket);
    const peer = peerOf(socket);
    this.#anonymous.set(peer, { socket, openedAt_ms: performance.now() });
    socket.once('close', () => {
      this.#connections.delete(socket);
      if (this.#anonymous.get(peer)?.socket === socket) this.#anonymous.delete(peer);
      if (this.#connections.size === 0) this.#onLastClosed();
    });
    this.#handshakes?.begin(socket, peer);
  }
}

/** Makes a server start TLS only on the connections that are passed to the function returned. */
function takeTlsStart(server: Server | SecureServer): (socket: Socket) => void {
  const listeners = server.listeners('connection');
  server.removeAllListeners('connection');
  return (socket) => {
    for (const listener of listeners) listener.call(server, socket);
  };
}

/**
 * Whether a connection has sent nothing. Node takes it for busy until its first request, which a browser
 * or a proxy that connects in advance may never send.
 */
function isSilent({ bytesRead }: Socket): boolean {
  return bytesRead === 0;
}

/** The sockets of a connection before and after its handshake share nothing but their peer. */
function peerOf(socket: Duplex): string {
  const { remoteAddress, remotePort } = socket as Socket;
  return `${remoteAddress} ${remotePort}`;
}
