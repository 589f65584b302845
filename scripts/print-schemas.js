// Writes the JSON Schemas of the two configuration files, each only after it was printed whole.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

for (const [verb, file] of [
  ['serve', 'specgate.schema.json'],
  ['init', 'specgate.config.schema.json'],
]) {
  const args = ['bin/specgate.js', verb, '--print-schema'];
  const { status, stdout } = spawnSync(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(file, stdout);
}
