/**
 * One PostgreSQL for all tests that want a database of their own and leave the server as it is:
 * started when the first of them asks, stopped after the last.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { startPostgres, type PostgresServer } from './postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where a test asks for a database. */
    databases: string;
  }
}

/** The address of a new, empty database. */
export async function createDatabase(): Promise<string> {
  const response = await fetch(inject('databases'), { method: 'POST' });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let server: Promise<PostgresServer> | undefined;
  const listener = createServer((_, response) => {
    server ??= startPostgres();
    server
      .then((each) => each.createDatabase())
      .then(
        (address) => response.end(address),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
  });
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  project.provide('databases', `http://127.0.0.1:${(listener.address() as AddressInfo).port}`);
  return async () => {
    listener.close();
    listener.closeAllConnections();
    await (await server?.catch(() => undefined))?.stop();
  };
}
