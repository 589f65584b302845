import { escapeJson } from '../../../common/escape/json.ts';
import { onOneLine } from '../../../common/escape/text.ts';
import type { Model } from '../../model/model.ts';

/** The package's name, from the document's title: "Blockchain Node Service" gives "blockchain-node-service-client". */
export function packageName(title: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && word !== 'client');
  // npm allows 214 characters.
  return [...(words.length === 0 ? ['rpc'] : words), 'client']
    .join('-')
    .slice(-200)
    .replace(/^-/, '');
}

/** The document's version as npm reads it (semver): "2" gives "2.0.0", what is none "0.0.0". */
export function packageVersion(version: string): string {
  const match = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/.exec(
    version,
  );
  if (match === null) return '0.0.0';
  const numbers = [match[1], match[2], match[3]].map((part) => String(BigInt(part ?? '0')));
  return `${numbers.join('.')}${match[4] ?? ''}`;
}

// The validators are JavaScript as they are: the compiler has nothing to do with them.
const COPY = `node --input-type=commonjs -e "require('fs').cpSync('src/validation','dist/validation',{recursive:true})"`;

/** The text of package.json. The package has no dependencies; TypeScript builds it. */
export function renderManifest({ info }: Model): string {
  const entry = (file: string) => ({
    types: `./dist/${file}.d.ts`,
    default: `./dist/${file}.js`,
  });
  // Node's own HTTP client does half the work of its fetch. Bundlers for browsers, and the runtimes
  // that also take what is meant for Node, have a fetch that is theirs.
  const fetching = ['browser', 'workerd', 'deno', 'bun'];
  const platforms = {
    ...Object.fromEntries(fetching.map((platform) => [platform, './dist/index.js'])),
    node: './dist/node.js',
  };
  const license = info.license?.['name'];
  const manifest = {
    name: packageName(info.title),
    version: packageVersion(info.version),
    description: onOneLine(`Typed JSON-RPC client for ${info.title}`),
    ...(typeof license === 'string' ? { license: onOneLine(license) } : {}),
    keywords: ['json-rpc', 'client', 'openrpc'],
    type: 'module',
    sideEffects: false,
    engines: { node: '>=18' },
    exports: {
      '.': { types: './dist/index.d.ts', ...platforms, default: './dist/index.js' },
      './node': entry('node'),
      './types': entry('types'),
      './validate': entry('validate'),
      './package.json': './package.json',
    },
    files: ['dist', 'src', 'llms.txt'],
    scripts: { build: `tsc -p tsconfig.json && ${COPY}`, prepack: 'npm run build' },
    devDependencies: { typescript: '>=5.8' },
  };
  return `${escapeJson(JSON.stringify(manifest, null, 2))}\n`;
}
