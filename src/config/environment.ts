import { z } from 'zod';
import { ConfigError } from './config-error.ts';

const EXPECTED_PORT = 'a port from 0 to 65535';

const port = z
  .string()
  .regex(/^\d{1,5}$/, EXPECTED_PORT)
  .transform(Number)
  .refine((number) => number <= 65_535, EXPECTED_PORT);

const schema = z.object({
  EVM_PORT: port.default(8545),
  SOLANA_PORT: port.default(8899),
  ARCHIVE_PORT: port.default(8547),
  DOCS_PORT: port.default(3000),
  OPS_PORT: port.default(9090),
  SPECGATE_HOME: z.string().min(1, 'the path of a folder').default('.specgate'),
  SPECGATE_LOG: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'], 'debug, info, warn, error or silent')
    .default('warn'),
});

/** The environment variables of `specgate dev`; port 0 is any free port. */
export type Environment = z.output<typeof schema>;

/** Throws ConfigError, which lists all invalid variables. */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): Environment {
  const parsed = schema.safeParse(env);
  if (parsed.success) return parsed.data;
  throw new ConfigError(
    parsed.error.issues.map(({ path, message }) => {
      const where = String(path[0]);
      return { where, what: `expected ${message}, got "${env[where]}"` };
    }),
  );
}
