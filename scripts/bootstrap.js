// Makes a new clone runnable: installs the packages of package-lock.json, with a Node new enough to
// run the sources. Plain JavaScript without dependencies, because it runs before anything is
// installed, and on any Node from 20 on.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
  chmodSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MINIMUM_NODE = [22, 19];
const RUNTIME_VERSION = '24.21.0';
const INSTALL_TIMEOUT_MS = 10 * 60 * 1000;

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.specgate-stamp');

function fail(message) {
  process.stderr.write(`specgate: ${message}\n`);
  process.exit(2);
}

function isNodeOldEnoughToReplace() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major < MINIMUM_NODE[0] || (major === MINIMUM_NODE[0] && minor < MINIMUM_NODE[1]);
}

// The platform is part of the stamp: a node_modules copied from another platform has its binaries.
function wantedStamp() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  return createHash('sha256')
    .update(lock)
    .update(`${process.platform}-${process.arch}`)
    .digest('hex');
}

function npm(node, args, cwd) {
  const cli = process.env.npm_execpath;
  const direct = cli !== undefined && /\.c?js$/.test(cli);
  const command = direct ? node : 'npm';
  const result = spawnSync(command, [...(direct ? [cli] : []), ...args], {
    cwd,
    encoding: 'utf8',
    shell: !direct && process.platform === 'win32',
    timeout: INSTALL_TIMEOUT_MS,
    // Install scripts of packages must find the same Node.
    env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` },
  });
  if (result.error) return result.error.message;
  if (result.status === 0) return undefined;
  const line = (result.stderr ?? '').split('\n').find((text) => text.startsWith('npm error'));
  return line?.replace(/^npm error\s*/, '') || `npm ${args[0]} ended with status ${result.status}`;
}

// Older Nodes skip optional platform packages whose `engines` exclude them, so the newer Node has to
// be there before the install, not after it. It comes from the npm registry as a plain package.
function fetchRuntime(folder) {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const problem = npm(
    process.execPath,
    [
      'install',
      '--no-save',
      '--no-package-lock',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      `${name}@${RUNTIME_VERSION}`,
    ],
    folder,
  );
  const binary = join(folder, 'node_modules', name, 'bin', 'node');
  if (problem !== undefined || !existsSync(binary)) {
    fail(
      `Node ${process.versions.node} is too old and ${name}@${RUNTIME_VERSION} could not be fetched ` +
        `(${problem ?? 'the package holds no binary'}); install Node ${MINIMUM_NODE.join('.')} or newer and run again`,
    );
  }
  return binary;
}

// This script may run on the Node of an earlier install, which the next install removes.
function copyRuntime(folder) {
  const copy = join(folder, 'node');
  copyFileSync(process.execPath, copy);
  chmodSync(copy, 0o755);
  return copy;
}

function install() {
  const isOwnNode = process.execPath.startsWith(join(modules, '.bin'));
  const temporary =
    isOwnNode || isNodeOldEnoughToReplace()
      ? mkdtempSync(join(tmpdir(), 'specgate-node-'))
      : undefined;
  try {
    process.stderr.write('specgate: installing the packages of package-lock.json (once)…\n');
    const fetched = isOwnNode ? copyRuntime : fetchRuntime;
    const node = temporary === undefined ? process.execPath : fetched(temporary);
    const problem = npm(node, ['ci', '--no-audit', '--no-fund'], root);
    if (problem !== undefined)
      fail(`could not install the packages (${problem}); fix that and run again`);
    if (temporary !== undefined) {
      const target = join(modules, '.bin', 'node');
      mkdirSync(dirname(target), { recursive: true });
      copyFileSync(node, target);
      chmodSync(target, 0o755);
    }
  } finally {
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
  }
}

// The stamp is written last, so that an interrupted install is repeated.
const wanted = wantedStamp();
const current = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : '';
const runtimeMissing = isNodeOldEnoughToReplace() && !existsSync(join(modules, '.bin', 'node'));
if (current !== wanted || runtimeMissing) {
  install();
  writeFileSync(stampFile, wanted);
}
