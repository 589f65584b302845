// Builds the publishable package in dist/, or in the folder in the first argument: compiles TypeScript
// to JavaScript with declarations, and copies the files that the code reads at run time to the same
// relative paths. `npm run build` checks the types first.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, globSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const compiler = join(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin/tsc',
);

const DATA = [
  // The browser's part of a documentation site is bundled from its sources.
  'common/**/*.{ts,js}',
  'generator/**/*.hbs',
  'generator/targets/*/{runtime,templates}/**/*.*',
  'generated/**/*.{js,d.ts,json}',
  'src/**/*.json',
  'src/**/*.wasm',
  'docs-site/{templates,styles,assets,browser,content}/**/*.{hbs,css,svg,ts,json,md}',
  'CHANGELOG.md',
];

const out = resolve(process.argv[2] ?? join(root, 'dist'));

rmSync(out, { recursive: true, force: true });
try {
  execFileSync(
    process.execPath,
    [compiler, '-p', 'tsconfig.build.json', '--noCheck', '--outDir', out],
    {
      cwd: root,
      stdio: 'inherit',
    },
  );
} catch {
  process.stderr.write('specgate: the sources do not compile; see the errors above\n');
  process.exit(1);
}
for (const file of globSync(DATA, {
  cwd: root,
  exclude: (path) => path.includes('node_modules'),
})) {
  cpSync(join(root, file), join(out, file));
}
cpSync(join(root, 'openrpc.json'), join(out, 'openrpc.json'));
chmodSync(join(out, 'bin/specgate.js'), 0o755);

// The documentation of our own interface, so that an installed package need not build it.
const { buildOwnSite } = await import('../bin/docs/own-site.ts');
await buildOwnSite(join(out, 'docs-site/dist'));
