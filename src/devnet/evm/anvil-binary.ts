import { createRequire } from 'node:module';

/** The machines anvil is published for, by Node's platform and architecture. */
const platformPackages: Readonly<Record<string, string>> = {
  'darwin-arm64': '@foundry-rs/anvil-darwin-arm64',
  'darwin-x64': '@foundry-rs/anvil-darwin-amd64',
  'linux-arm64': '@foundry-rs/anvil-linux-arm64',
  'linux-x64': '@foundry-rs/anvil-linux-amd64',
  'win32-x64': '@foundry-rs/anvil-win32-amd64',
};

/** Resolves a file of a package as seen from another file; throws when it is not there. */
export interface ResolveFrom {
  (parent: string, specifier: string): string;
}

const resolveFromDisk: ResolveFrom = (parent, specifier) =>
  createRequire(parent).resolve(specifier);

/**
 * Where anvil's own executable is. The `anvil` command of the npm package is a wrapper that leaves
 * its child behind on SIGTERM, so the binary in the platform package is started directly.
 *
 * @param machine Node's `process.platform` and `process.arch`, joined by a hyphen.
 * @throws Error of one line, naming the package and the fix, when it is not installed or not made.
 */
export function locateAnvil(
  machine = `${process.platform}-${process.arch}`,
  resolve: ResolveFrom = resolveFromDisk,
): string {
  const name = platformPackages[machine];
  if (name === undefined) {
    throw new Error(
      `the EVM development node needs anvil, which @foundry-rs/anvil does not provide for ${machine}: ` +
        `use one of ${Object.keys(platformPackages).join(', ')}`,
    );
  }
  try {
    // Package managers that do not hoist show the platform package to its parent only.
    const parent = resolve(import.meta.url, '@foundry-rs/anvil/package.json');
    return resolve(parent, `${name}/bin/anvil${machine.startsWith('win32') ? '.exe' : ''}`);
  } catch {
    throw new Error(
      `the EVM development node needs the package ${name}, which is not installed: ` +
        'run `npm install --include=optional @foundry-rs/anvil` with the Node version that runs this',
    );
  }
}
