import { ConfigError } from '../config/config-error.ts';

/** Thrown when the service cannot start. The message says how to fix it, on one line per problem. */
export class StartError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StartError';
  }
}

/** Whether the operator can fix the cause of an error; its message then needs no stack. */
export function isForOperator(error: unknown): error is Error {
  return error instanceof StartError || error instanceof ConfigError;
}

interface ListenSetting {
  readonly host: string;
  readonly port: number;
  /** Where the operator sets the port. */
  readonly setting: string;
}

/** Settles like `listening`, with common listen errors turned into a StartError. */
export async function explainListenError<T>(
  listening: Promise<T>,
  { host, port, setting }: ListenSetting,
): Promise<T> {
  try {
    return await listening;
  } catch (error) {
    const message = {
      EADDRINUSE: `${host}:${port} is already in use; set ${setting} to another port, or to 0 for any free port`,
      EACCES: `no permission to listen on ${host}:${port}; set ${setting} to a port above 1023`,
      EADDRNOTAVAIL: `${host} is not an address of this machine; change the host of ${setting}`,
      ENOTFOUND: `cannot resolve host ${host}; change the host of ${setting}`,
    }[(error as NodeJS.ErrnoException).code ?? ''];
    throw message === undefined ? error : new StartError(message);
  }
}
