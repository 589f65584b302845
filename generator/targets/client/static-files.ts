import { readBeside } from '../../files/template.ts';

const RUNTIME = [
  'body.ts',
  'bounds.ts',
  'build-client.ts',
  'call-arguments.ts',
  'client-error.ts',
  'envelope.ts',
  'error-name.ts',
  'exact-json.ts',
  'heartbeat.ts',
  'http.ts',
  'node-fetch.ts',
  'options.ts',
  'origin.ts',
  'queue.ts',
  'rpc-error.ts',
  'socket-session.ts',
  'socket.ts',
  'solana-kit.ts',
  'transport-options.ts',
  'transport.ts',
  'typed-request.ts',
  'validation.ts',
  'web-socket.ts',
  'widen.ts',
  'with-retry.ts',
  'with-timeout.ts',
];

/** The sources every client has, whatever its document: file name and text. */
export function readRuntime(): readonly (readonly [string, string])[] {
  return RUNTIME.map((file) => [file, readBeside(import.meta.url, `./runtime/${file}`)]);
}

/** How the package is compiled for publication. */
export function readCompilerOptions(): string {
  return readBeside(import.meta.url, './templates/tsconfig.json');
}
