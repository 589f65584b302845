// Compiles src/json/assembly to src/json/structural-scan.wasm, or to the file in the first argument.
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { main } from 'assemblyscript/asc';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const out = process.argv[2] ?? join(root, 'src/json/structural-scan.wasm');
const options = [
  '-O3 --converge --enable simd --runtime stub --noAssert',
  // A slice of 64 KiB and a padded block fit into two pages.
  '--initialMemory 2 --maximumMemory 2',
];
const { error, stderr } = await main([
  'src/json/assembly/structural-scan.ts',
  '--baseDir',
  root,
  '--outFile',
  relative(root, out),
  ...options.join(' ').split(' '),
]);
if (error) {
  process.stderr.write(`${stderr}\n`);
  process.exit(1);
}
