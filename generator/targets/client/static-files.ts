import { readBeside } from '../../files/template.ts';

const RUNTIME = [
  'abort.ts',
  'address.ts',
  'bounded-text.ts',
  'bounds.ts',
  'build-client.ts',
  'call-arguments.ts',
  'caller.ts',
  'client-error.ts',
  'envelope.ts',
  'error-catalogue.ts',
  'http-answer.ts',
  'http.ts',
  'options.ts',
  'revert-error.ts',
  'rpc-error.ts',
  'socket-session.ts',
  'socket-trouble.ts',
  'socket.ts',
  'transport.ts',
  'typed-request.ts',
  'web-socket.ts',
  'with-limit.ts',
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
