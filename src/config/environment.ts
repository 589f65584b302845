import { z } from 'zod';
import { ConfigError } from './config-error.ts';

const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .refine((number) => number <= 65_535);

const schema = z.object({
  EVM_PORT: port.default(8545),
  SOLANA_PORT: port.default(8899),
  ARCHIVE_PORT: port.default(8547),
  DOCS_PORT: port.default(3000),
  OPS_PORT: port.default(9090),
  SPECGATE_HOME: z.string().min(1).default('.specgate'),
  SPECGATE_LOG: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('warn'),
});

/** What the environment says of `specgate dev`; a port of 0 is any free one. */
export type Environment = z.output<typeof schema>;

const expected: Readonly<Record<keyof Environment, string>> = {
  EVM_PORT: 'a port, 0 to 65535',
  SOLANA_PORT: 'a port, 0 to 65535',
  ARCHIVE_PORT: 'a port, 0 to 65535',
  DOCS_PORT: 'a port, 0 to 65535',
  OPS_PORT: 'a port, 0 to 65535',
  SPECGATE_HOME: 'the path of a folder',
  SPECGATE_LOG: 'debug, info, warn, error or silent',
};

/** Throws ConfigError, which names each variable that cannot be used. */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): Environment {
  const parsed = schema.safeParse(env);
  if (parsed.success) return parsed.data;
  throw new ConfigError(
    parsed.error.issues.map(({ path }) => {
      const name = String(path[0]) as keyof Environment;
      return { where: name, what: `"${env[name]}" is not usable; set it to ${expected[name]}` };
    }),
  );
}
