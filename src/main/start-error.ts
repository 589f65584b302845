import { ConfigError } from '../config/config-error.ts';

/** The service cannot start as asked; the message says what to do, in one line or a few. */
export class StartError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StartError';
  }
}

/** Whether an error is for whoever started the service to mend. */
export function isForOperator(error: unknown): error is Error {
  return error instanceof StartError || error instanceof ConfigError;
}

/** What it means that an address could not be listened on; other errors are given back. */
function explainListening(
  error: unknown,
  { host, port, setting }: { host: string; port: number; setting: string },
): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const where = `${host}:${port}`;
  if (code === 'EADDRINUSE') {
    return new StartError(`${where} is in use; set ${setting} to another port, or to 0 for any`);
  }
  if (code === 'EACCES') {
    return new StartError(`${where} may not be listened on; set ${setting} to a port above 1023`);
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new StartError(`${host} is no address of this machine; change the host of ${setting}`);
  }
  return error;
}

/** Settles as `listening` does; what the operator can mend is explained. */
export async function explained<T>(
  listening: Promise<T>,
  address: { host: string; port: number; setting: string },
): Promise<T> {
  try {
    return await listening;
  } catch (error) {
    throw explainListening(error, address);
  }
}
