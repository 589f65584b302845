// What Specgate and the official OpenRPC tools make of the same documents and the same bytes.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareClients, type ClientRow } from './others/clients.ts';
import { compareServers, type ServerRow } from './others/servers.ts';

const isJson = process.argv.includes('--json');
const folder = await mkdtemp(join(tmpdir(), 'specgate-others-'));
try {
  const clients = await compareClients(folder);
  const servers = await compareServers();
  console.log(isJson ? JSON.stringify({ clients, servers }) : tell(clients, servers));
} finally {
  await rm(folder, { recursive: true, force: true });
}

function tell(clients: readonly ClientRow[], servers: readonly ServerRow[]): string {
  const rows = [
    ['errors of tsc --strict in the generated client', 'specgate', '@open-rpc/generator'],
    ...clients.map(({ document, ours, theirs }) => [`  ${document}`, ours, theirs]),
    ['', '', ''],
    ['a server that is sent', 'specgate mock', '@open-rpc/server-js'],
    ...servers.map(({ message, ours, theirs }) => [`  ${message}`, ours, theirs]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('   ')
        .trimEnd(),
    )
    .join('\n');
}
