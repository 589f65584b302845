import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import { guardChild } from './child-guard.ts';

/** Packages of anvil, by Node's platform and architecture. */
const platformPackages: Readonly<Record<string, string>> = {
  'darwin-arm64': '@foundry-rs/anvil-darwin-arm64',
  'darwin-x64': '@foundry-rs/anvil-darwin-amd64',
  'linux-arm64': '@foundry-rs/anvil-linux-arm64',
  'linux-x64': '@foundry-rs/anvil-linux-amd64',
  'win32-x64': '@foundry-rs/anvil-win32-amd64',
};

/** Resolves a file of a package from another file. Throws if not found. */
const resolveFrom = (parent: string, specifier: string): string =>
  createRequire(parent).resolve(specifier);

/**
 * Returns the path of anvil's executable. The `anvil` command of the npm package is a wrapper that does
 * not end its child on SIGTERM, so the binary is started directly.
 *
 * @param machine Node's `process.platform` and `process.arch`, joined by a hyphen.
 * @throws Error in one line that names the package and the fix, if anvil is not installed or not
 * available for the machine.
 */
export function locateAnvil(
  machine = `${process.platform}-${process.arch}`,
  resolve = resolveFrom,
): string {
  const name = platformPackages[machine];
  if (name === undefined) {
    throw new Error(
      `the EVM development node needs anvil, which is not available for ${machine}; ` +
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

type Anvil = ChildProcessByStdio<null, Readable, Readable>;

const readyTimeoutMs = 10_000;
const stopTimeoutMs = 2_000;
/** More than the length of anvil's banner. */
const maxOutputChars = 64 * 1024;

const listening = /Listening on 127\.0\.0\.1:(\d+)/;

/** A running anvil and the port it listens on. */
interface AnvilProcess {
  readonly port: number;
  /** Resolves once the process has ended. */
  stop(): Promise<void>;
}

/** Describes the failure in one line: anvil's `Error: …` line if it has one. */
function describeFailure(output: string, outcome: string): Error {
  const line = output.split('\n').find((text) => text.startsWith('Error: '));
  return new Error(`anvil did not start: ${line?.slice('Error: '.length) ?? outcome}`);
}

function awaitPort(child: Anvil): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = '';
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      child.stdout.off('data', read);
      child.stderr.off('data', read);
      // The pipes are drained, because anvil would block on a full one.
      child.stdout.resume();
      child.stderr.resume();
      act();
    };
    const fail = (outcome: string): void => settle(() => reject(describeFailure(output, outcome)));
    const read = (chunk: Buffer): void => {
      output += chunk.toString('utf8');
      const port = listening.exec(output)?.[1];
      if (port !== undefined) settle(() => resolve(Number(port)));
      else if (output.length > maxOutputChars) fail('unexpected output');
    };
    const timer = setTimeout(() => fail(`not ready after ${readyTimeoutMs} ms`), readyTimeoutMs);
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', ({ message }) => fail(message));
    child.once('close', (code) => fail(`it exited with code ${code}`));
  });
}

function endChild(child: Anvil): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill('SIGTERM');
  });
}

/**
 * Starts anvil and waits until it listens on 127.0.0.1.
 *
 * @throws Error in one line if it is not installed or does not start, for example if the port is in use.
 */
export async function startAnvil(port: number, flags: readonly string[]): Promise<AnvilProcess> {
  const address = ['--host', '127.0.0.1', '--port', String(port)];
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  const child = spawn(locateAnvil(), [...address, ...flags], { stdio });
  guardChild(child);
  try {
    return { port: await awaitPort(child), stop: () => endChild(child) };
  } catch (error) {
    await endChild(child);
    throw error;
  }
}
