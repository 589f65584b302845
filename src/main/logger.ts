import { destination, pino, type Logger as Pino } from 'pino';

export type Logger = Pick<Pino, 'debug' | 'info' | 'warn' | 'error' | 'isLevelEnabled'>;

/** Lines of JSON on stderr; stdout stays for what a command is asked to print. */
export function createLogger(level: string): Logger {
  return pino({ level, base: null }, destination({ fd: 2, sync: true }));
}
