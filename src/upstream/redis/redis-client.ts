import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { decodeUri } from '../../../common/json/pointer.ts';
import { ReplyReader, type Reply } from './reply-reader.ts';

export interface RedisClientOptions {
  /** `redis://` or `rediss://`, with the credentials and the number of the database. */
  readonly url: string;
  readonly onReady: () => void;
  /** Called when a connection is lost or cannot be opened; another one is opened later. */
  readonly onLost: (error: Error) => void;
}

export type Command = readonly (string | Buffer)[];

interface SentCommand {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
}

const DEFAULT_PORT = 6379;

/** Time limit for connecting, authenticating and selecting the database. */
const CONNECT_MS = 2_000;
const RECONNECT_MS = 1_000;

/** Interval between pings; a connection is closed after MAX_SILENT_PINGS of them without any reply. */
const PING_MS = 2_000;
const MAX_SILENT_PINGS = 2;

/**
 * A connection to Redis or Valkey that is opened again when it is lost. A reply does not name its
 * command, so the connection is closed at the first reply that is invalid or matches no command:
 * later ones could be taken for replies to other commands.
 */
export class RedisClient {
  readonly #options: RedisClientOptions;
  readonly #url: URL;
  /** In the order of their replies. */
  #sent: SentCommand[] = [];
  #socket: Socket | undefined;
  #isReady = false;
  #isClosed = false;
  #stopTimers: () => void = () => undefined;

  constructor(options: RedisClientOptions) {
    this.#options = options;
    this.#url = new URL(options.url);
    this.#connect();
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Rejects with the error of the server, or when the connection is lost. */
  send(command: Command): Promise<Reply> {
    const socket = this.#socket;
    if (socket === undefined) return Promise.reject(new Error('not connected'));
    return new Promise((resolve, reject) => {
      this.#sent.push({ resolve, reject });
      socket.write(encode(command));
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#stopTimers();
    this.#socket?.destroy();
  }

  #connect(): void {
    const socket = openSocket(this.#url);
    const reader = new ReplyReader();
    let failed: Error | undefined;
    const timer = setTimeout(
      () => socket.destroy(new Error('the server does not respond')),
      CONNECT_MS,
    );
    this.#stopTimers = () => clearTimeout(timer);
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => {
      try {
        for (const reply of reader.read(chunk)) this.#receive(reply);
      } catch (error) {
        socket.destroy(error as Error);
      }
    });
    socket.on('error', (error) => (failed = error));
    socket.on('close', () => this.#lose(failed ?? new Error('the server closed the connection')));
    this.#start(socket).catch((error: Error) => socket.destroy(error));
  }

  async #start(socket: Socket): Promise<void> {
    const handshake = handshakeOf(this.#url);
    await Promise.all(handshake.map((command) => this.send(command).catch(describe(command))));
    this.#stopTimers();
    if (socket.destroyed) return;
    this.#startPings(socket);
    this.#isReady = true;
    this.#options.onReady();
  }

  #startPings(socket: Socket): void {
    let silentPings = 0;
    socket.on('data', () => (silentPings = 0));
    const timer = setInterval(() => {
      if (silentPings >= MAX_SILENT_PINGS) {
        socket.destroy(new Error('the server does not respond'));
        return;
      }
      silentPings += 1;
      this.send(['PING']).catch(() => undefined);
    }, PING_MS);
    this.#stopTimers = () => clearInterval(timer);
  }

  #receive(reply: Reply): void {
    const command = this.#sent.shift();
    if (command === undefined) throw new Error('a reply matches no command');
    if (reply instanceof Error) command.reject(reply);
    else command.resolve(reply);
  }

  #lose(error: Error): void {
    this.#stopTimers();
    this.#isReady = false;
    this.#socket = undefined;
    const sent = this.#sent;
    this.#sent = [];
    for (const { reject } of sent) reject(error);
    if (this.#isClosed) return;
    this.#options.onLost(error);
    const timer = setTimeout(() => this.#connect(), RECONNECT_MS).unref();
    this.#stopTimers = () => clearTimeout(timer);
  }
}

function openSocket({ protocol, hostname, port }: URL): Socket {
  // Without the brackets of an IPv6 address.
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const address = { host, port: Number(port || DEFAULT_PORT) };
  if (protocol === 'redis:') return connectTcp(address);
  return connectTls({ ...address, ...(isIP(host) === 0 && { servername: host }) });
}

function handshakeOf({ username, password, pathname }: URL): readonly Command[] {
  const credentials = [username, password].map(decodeUri).filter((text) => text !== '');
  const database = pathname.slice(1);
  return [
    ...(password === '' ? [] : [['AUTH', ...credentials]]),
    ...(database === '' ? [] : [['SELECT', database]]),
    ['PING'],
  ];
}

/**
 * Returns a function that rethrows the error of a command. For AUTH, it keeps only the code: a server that
 * does not know the command repeats its arguments, including the password.
 */
function describe([name]: Command): (error: Error) => never {
  return (error) => {
    if (name !== 'AUTH') throw error;
    const [code = 'no code'] = /^[A-Z]+\b/.exec(error.message) ?? [];
    throw new Error(`the server rejects AUTH (${code}); check the user and the password`);
  };
}

function encode(command: Command): Buffer {
  const parts = command.flatMap((part) => {
    const bytes = Buffer.from(part as string);
    return [Buffer.from(`$${bytes.length}\r\n`), bytes, Buffer.from('\r\n')];
  });
  return Buffer.concat([Buffer.from(`*${command.length}\r\n`), ...parts]);
}
