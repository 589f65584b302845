import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

it('an install that runs on the Node of an earlier install keeps that Node', () => {
  const folder = mkdtempSync(join(tmpdir(), 'specgate-bootstrap-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const node = join(folder, 'node_modules', '.bin', 'node');
  for (const each of ['scripts', 'node_modules/.bin']) {
    mkdirSync(join(folder, each), { recursive: true });
  }
  const described = { name: 'nothing', version: '1.0.0' };
  const lock = { ...described, lockfileVersion: 3, packages: { '': described } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...described, type: 'module' }));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  copyFileSync('scripts/bootstrap.js', join(folder, 'scripts', 'bootstrap.js'));
  copyFileSync(process.execPath, node);
  execFileSync(node, ['scripts/bootstrap.js'], { cwd: folder, stdio: 'pipe' });
  expect(existsSync(join(folder, 'node_modules', '.specgate-stamp'))).toBe(true);
  expect(existsSync(node)).toBe(true);
});
