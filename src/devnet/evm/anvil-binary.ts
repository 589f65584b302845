import { createRequire } from 'node:module';

/** Packages of anvil, by Node's platform and architecture. */
const platformPackages: Readonly<Record<string, string>> = {
  'darwin-arm64': '@foundry-rs/anvil-darwin-arm64',
  'darwin-x64': '@foundry-rs/anvil-darwin-amd64',
  'linux-arm64': '@foundry-rs/anvil-linux-arm64',
  'linux-x64': '@foundry-rs/anvil-linux-amd64',
  'win32-x64': '@foundry-rs/anvil-win32-amd64',
};

/** Resolves a file of a package from another file. Throws if not found. */
export interface ResolveFrom {
  (parent: string, specifier: string): string;
}

const resolveFromDisk: ResolveFrom = (parent, specifier) =>
  createRequire(parent).resolve(specifier);

/**
 * Returns the path of anvil's executable. The `anvil` command of the npm package is a wrapper that does
 * not end its child on SIGTERM, so the binary is started directly.
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
      `the EVM development node needs anvil, which is not available for ${machine}, ` +
        `expected one of ${Object.keys(platformPackages).join(', ')}`,
    );
  }
  try {
    // Without hoisting only the parent package can resolve the platform package.
    const parent = resolve(import.meta.url, '@foundry-rs/anvil/package.json');
    return resolve(parent, `${name}/bin/anvil${machine.startsWith('win32') ? '.exe' : ''}`);
  } catch {
    throw new Error(
      `the EVM development node needs the package ${name}, which is not installed: ` +
        'run `npm install --include=optional @foundry-rs/anvil` with the Node version that runs this',
    );
  }
}
