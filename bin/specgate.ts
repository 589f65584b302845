#!/usr/bin/env node
import { reportFault, runCommandLine } from './command-line.ts';

// Who reads the output may stop reading (`specgate check | head -1`): that is no error.
// What cannot be written for another reason is lost, and must not pass for done.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? undefined : reportFault(error)),
);

await runCommandLine(process.argv.slice(2));
