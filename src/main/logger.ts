import { destination, pino, type Logger as Pino } from 'pino';

export type Logger = Pick<Pino, 'debug' | 'info' | 'warn' | 'error' | 'isLevelEnabled' | 'level'>;

/** Lines of JSON on stderr, each with `base`; stdout stays for what a command is asked to print. */
export function createLogger(level: string, base: object | null = null): Logger {
  return pino({ level, base }, destination({ fd: 2, sync: true }));
}
