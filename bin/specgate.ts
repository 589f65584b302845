#!/usr/bin/env node
import { reportError, runCommandLine } from './command-line.ts';

// A reader that closes the pipe (`specgate check | head -1`) is not an error.
// What cannot be written for another reason is lost, and must not pass for done.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? undefined : reportError(error)),
);

await runCommandLine(process.argv.slice(2));
