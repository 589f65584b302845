#!/usr/bin/env node
import { runCommandLine } from './command-line.ts';

// Who reads the output may stop reading (`specgate check | head -1`): that is no error.
process.stdout.on('error', () => process.exit());

await runCommandLine(process.argv.slice(2));
