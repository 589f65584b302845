import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, symlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../src/config/read-config.ts';
import { findRestartOnly, restartOnlyLimits } from '../../src/main/reload.ts';
import { temporaryFolder } from '../store/support.ts';
import { freePort } from '../support/free-port.ts';
import { hasProgram } from '../support/programs.ts';
import { createDatabase } from '../support/shared-postgres.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(root, 'docs-site/content/operations/serve.md'), 'utf8');
const blocks = (kind: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\``, 'gms'))].map(([, text]) => text!);

interface Run {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a script in a process group of its own, of which nothing is left afterwards. */
async function run(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Run> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  onTestFinished(() => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // Everything has ended by itself.
    }
  });
  const [code] = (await once(child, 'exit', { signal: AbortSignal.timeout(60_000) })) as [number];
  return { code, output };
}

const hasCurl = hasProgram('curl', 'the commands of the page "Serve your own nodes"');

describe('the page "Serve your own nodes"', () => {
  it('leads, command by command, to a gateway that serves, loses a node, is reloaded and stops', async ({
    skip,
  }) => {
    skip(!hasCurl, 'there is no curl on PATH');
    const folder = await temporaryFolder();
    // What the commands find in a clone, where everything is installed.
    for (const name of ['specgate', 'node_modules'])
      symlinkSync(join(root, name), join(folder, name));
    let script = blocks('sh').join('');
    for (const port of ['18545', '18546', '18080', '19090']) {
      script = script.replaceAll(port, String(await freePort()));
    }
    const env = { ...process.env, SPECGATE_STORE: await createDatabase() };
    const { code, output } = await run(script, folder, env);
    const log = await readFile(join(folder, '.specgate/gateway.log'), 'utf8').catch(String);
    expect(code, output + log).toBe(0);
    expect(output).toContain('gateway.yaml is valid; networks: local');
    expect(output).toContain('{"ready":true');
    const answers = output.match(/\{"jsonrpc":"2.0","id":[12],"result":\{.*?"number":"0x0"/g);
    expect(answers?.length, output).toBe(2);
    expect(output).toMatch(/specgate_upstream_healthy\{.*upstream="first"\} 0/);
    expect(output).toMatch(/specgate_upstream_healthy\{.*upstream="second"\} 1/);
    expect(output).toMatch(/wrong chain: expected 1, got 31337; fix its url or the identity/);
    expect(output).toMatch(/acme\b.*\b160\b/);
  });

  it('shows a configuration of several networks at one address that can be read', () => {
    const [text] = blocks('yaml');
    expect(readConfig(text!, 'serve.md', {}).networks).toHaveLength(2);
  });

  it('names all that needs a restart', () => {
    for (const name of restartOnlyLimits) expect(page).toContain(`\`${name}\``);
    const text = `networks: [{ name: a, family: evm, listen: { port: 1 }, upstreams: [{ url: 'http://n/' }] }]`;
    const config = readConfig(text, 'a', {});
    const address = { host: '127.0.0.1', port: 2 };
    const problems = findRestartOnly(config, {
      ...config,
      store: 'x',
      ops: address,
      docs: address,
    });
    expect(problems).toHaveLength(3);
    for (const { path } of problems) {
      expect(page).toMatch(new RegExp(`^\\|.*\`${String(path[0])}\``, 'm'));
    }
  });
});
