import { readBeside } from '../../files/template.ts';

const RUNTIME = [
  '__init__.py',
  'address.py',
  'async_client.py',
  'attempts.py',
  'background.py',
  'call_queue.py',
  'carried.py',
  'document.py',
  'engine.py',
  'envelope.py',
  'failures.py',
  'frames.py',
  'http_connection.py',
  'http_pool.py',
  'http_transport.py',
  'json_text.py',
  'options.py',
  'own_method.py',
  'pending.py',
  'retrying.py',
  'socket_connection.py',
  'socket_session.py',
  'socket_transport.py',
  'sync_client.py',
];

/** The sources every client has, whatever its document: file name and text. */
export function readRuntime(): readonly (readonly [string, string])[] {
  return RUNTIME.map((file) => [file, readBeside(import.meta.url, `./runtime/${file}`)]);
}
