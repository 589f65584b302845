import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readDeployed } from './support.ts';

const dockerfile = readDeployed('Dockerfile');
const root = new URL('../../', import.meta.url);

/** Runs the image's HEALTHCHECK against an operations port that answers with `status`. */
async function checkHealth(status: number): Promise<number> {
  const server = createServer((_request, response) => {
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return runHealthcheck((server.address() as AddressInfo).port);
}

async function runHealthcheck(port: number): Promise<number> {
  const [, command] = /HEALTHCHECK .*\\\n\s+CMD (\[.*\])/.exec(dockerfile)!;
  const [program, ...args] = JSON.parse(command!) as [string, ...string[]];
  expect(program).toBe('node');
  const env = { ...process.env, HEALTH_URL: `http://127.0.0.1:${port}/healthz` };
  const child = execFile(process.execPath, args, { env });
  const [code] = (await once(child, 'exit')) as [number];
  return code;
}

describe('the image', () => {
  it('is based on the pinned Node and runs as a user without privileges', () => {
    const version = readFileSync(new URL('.node-version', root), 'utf8').trim();
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(new Set(bases)).toEqual(new Set([`node:${version}-bookworm-slim`]));
    const [, user] = /^USER (\d+):\d+$/m.exec(dockerfile)!;
    expect(Number(user)).toBeGreaterThan(0);
  });

  it('is healthy while /healthz answers 200, and only then', async () => {
    expect(await checkHealth(200)).toBe(0);
    expect(await checkHealth(503)).toBe(1);
    expect(await runHealthcheck(1)).toBe(1);
  });

  it('copies only files that exist into the build', () => {
    const kept = [...readDeployed('Dockerfile.dockerignore').matchAll(/^!(\S+)$/gm)];
    expect(kept.length).toBeGreaterThan(5);
    for (const [, path] of kept) expect(existsSync(fileURLToPath(new URL(path!, root)))).toBe(true);
  });
});
