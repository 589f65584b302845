import { createSecureContext, type SecureContext, type Server, type TlsOptions } from 'node:tls';

/** Certificate and private key, PEM, and the names of hosts it is for. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  readonly hostNames: readonly string[];
}

const MIN_VERSION = 'TLSv1.2';

/** The first one is for clients that name no host. */
export type Certificates = readonly [Certificate, ...Certificate[]];

/** The certificates of an address; another ring of them counts for connections to come. */
export class KeyRing {
  #byHostName = new Map<string, SecureContext>();
  #first: SecureContext;

  /** Throws when certificate and key are none, or not of one another. */
  constructor(certificates: readonly Certificate[]) {
    this.#first = this.#take(certificates);
  }

  /** What a TLS server is created with. */
  optionsFor([{ cert, key }]: Certificates): TlsOptions {
    return {
      cert,
      key,
      minVersion: MIN_VERSION,
      SNICallback: (name, done) =>
        done(null, this.#byHostName.get(name.toLowerCase()) ?? this.#first),
    };
  }

  /** Throws as the constructor does, and then leaves ring and server as they were. */
  replace(server: Server, certificates: Certificates): void {
    this.#first = this.#take(certificates);
    const [{ cert, key }] = certificates;
    server.setSecureContext({ cert, key, minVersion: MIN_VERSION });
  }

  #take(certificates: readonly Certificate[]): SecureContext {
    const contexts = certificates.map(({ cert, key }) =>
      createSecureContext({ cert, key, minVersion: MIN_VERSION }),
    );
    this.#byHostName = new Map(
      certificates.flatMap(({ hostNames }, index) =>
        hostNames.map((name): [string, SecureContext] => [name, contexts[index]!]),
      ),
    );
    return contexts[0]!;
  }
}
