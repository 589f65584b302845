#!/usr/bin/env node
import { reportError, runCommandLine } from './command-line.ts';

// A reader that closes the pipe (`specgate check | head -1`) is not an error.
// Other failed writes lose output and must not exit with 0.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? undefined : reportError(error)),
);

await runCommandLine(process.argv.slice(2));
