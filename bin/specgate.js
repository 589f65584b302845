#!/usr/bin/env node
// The entry of the command line, in JavaScript, because older Nodes reject TypeScript with a message that
// does not say what to do. `specgate.ts` is a link to this file, for callers that use that name.
import module from 'node:module';

const MINIMUM_NODE = '22.19';

const [major, minor] = process.versions.node.split('.').map(Number);
const [minimumMajor, minimumMinor] = MINIMUM_NODE.split('.').map(Number);
if (major < minimumMajor || (major === minimumMajor && minor < minimumMinor)) {
  process.stderr.write(
    `specgate: expected Node ${MINIMUM_NODE} or newer, got ${process.versions.node}; install a newer one, ` +
      'or in a clone run ./specgate, which brings its own Node\n',
  );
  process.exit(2);
}

// Loading the sources takes most of the time of a short command.
module.enableCompileCache();

// Not a static import: that would be loaded before the check.
const { reportError, runCommandLine } = await import('./command-line.ts');

// A reader that closes the pipe (`specgate check | head -1`) is not an error.
// Other failed writes lose output and must not exit with 0.
process.stdout.on('error', (error) =>
  process.exit(error.code === 'EPIPE' ? undefined : reportError(error)),
);

await runCommandLine(process.argv.slice(2));
