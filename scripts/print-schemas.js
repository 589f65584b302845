// Writes the JSON Schemas of the two configuration files. Each is written only if it was printed completely.
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
