import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import { guardChild } from './child-guard.ts';

type Anvil = ChildProcessByStdio<null, Readable, Readable>;

const readyTimeoutMs = 10_000;
const stopTimeoutMs = 2_000;
/** More than the length of anvil's banner. */
const maxOutputChars = 64 * 1024;

const listening = /Listening on 127\.0\.0\.1:(\d+)/;

/** A running anvil and the port it listens on. */
export interface AnvilProcess {
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
    const timer = setTimeout(() => fail(`not ready in ${readyTimeoutMs} ms`), readyTimeoutMs);
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', ({ message }) => fail(message));
    child.once('close', (code) => fail(`it ended with code ${code}`));
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
 * Starts anvil's binary and waits until it listens on 127.0.0.1.
 *
 * @throws Error of one line if it does not start, for example if the port is in use.
 */
export async function startAnvil(
  binary: string,
  options: { readonly port: number; readonly flags: readonly string[] },
): Promise<AnvilProcess> {
  const { port, flags } = options;
  const address = ['--host', '127.0.0.1', '--port', String(port)];
  const child = spawn(binary, [...address, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  guardChild(child);
  try {
    return { port: await awaitPort(child), stop: () => endChild(child) };
  } catch (error) {
    await endChild(child);
    throw error;
  }
}
