// What Specgate and the official OpenRPC tools make of the same documents and the same bytes:
// in columns, as --json, or in short as --markdown.
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareArtifacts } from './others/artifacts.ts';
import { compareClients } from './others/clients.ts';
import { compareServers } from './others/servers.ts';
import { renderColumns, renderMarkdown } from './others/render.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'specgate-others-'));
try {
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const seen = {
    versions: {
      specgate: versionOf('.'),
      '@open-rpc/generator': versionOf('node_modules/@open-rpc/generator'),
      '@open-rpc/server-js': versionOf('node_modules/@open-rpc/server-js'),
    },
    clients: await compareClients(folder),
    artifacts: await compareArtifacts(folder),
    servers: await compareServers(),
  };
  if (process.argv.includes('--json')) console.log(JSON.stringify(seen, null, 2));
  else
    console.log(process.argv.includes('--markdown') ? renderMarkdown(seen) : renderColumns(seen));
} finally {
  await rm(folder, { recursive: true, force: true });
}

function versionOf(path: string): string {
  const manifest = readFileSync(join(root, path, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
