import { escapeJson } from '../../../common/escape/json.ts';
import { onOneLine } from '../../../common/escape/text.ts';
import type { Model } from '../../model/model.ts';
import { packageName, packageVersion } from '../client-view/package.ts';

// tsc does not copy the validators, which are JavaScript.
const COPY = `node --input-type=commonjs -e "require('fs').cpSync('src/validation','dist/validation',{recursive:true})"`;

/** Renders package.json. */
export function renderManifest(model: Model): string {
  const { info } = model;
  const entry = (file: string) => ({
    types: `./dist/${file}.d.ts`,
    default: `./dist/${file}.js`,
  });
  // In Node its own HTTP client takes half the CPU time of fetch. Other platforms, some of which also
  // accept the condition "node", use fetch.
  const fetching = ['browser', 'workerd', 'deno', 'bun'];
  const platforms = {
    ...Object.fromEntries(fetching.map((platform) => [platform, './dist/index.js'])),
    node: './dist/node.js',
  };
  const license = info.license?.['name'];
  const manifest = {
    name: packageName(model),
    version: packageVersion(info.version),
    description: onOneLine(`Typed JSON-RPC client for ${info.title}`),
    ...(typeof license === 'string' ? { license: onOneLine(license) } : {}),
    keywords: ['json-rpc', 'client', 'openrpc'],
    type: 'module',
    sideEffects: false,
    engines: { node: '>=18' },
    // For resolvers that do not support `exports`.
    main: './dist/index.js',
    types: './dist/index.d.ts',
    exports: {
      '.': { types: './dist/index.d.ts', ...platforms, default: './dist/index.js' },
      './node': entry('node'),
      './types': entry('types'),
      './validate': entry('validate'),
      './package.json': './package.json',
    },
    files: ['dist', 'src', 'llms.txt'],
    scripts: {
      build: `tsc -p tsconfig.json && ${COPY}`,
      // In a copy without node_modules there is no compiler yet.
      prepack: 'npm run build || (npm install --no-save --no-audit --no-fund && npm run build)',
    },
    devDependencies: { typescript: '>=5.8' },
  };
  return `${escapeJson(JSON.stringify(manifest, null, 2))}\n`;
}
