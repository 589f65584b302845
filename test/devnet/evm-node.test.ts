import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { locateAnvil } from '../../src/devnet/evm/anvil.ts';
import { evmFacts } from './evm-facts.ts';
import { startEvmNode } from '../../src/devnet/evm/index.ts';
import type { DevnetNode } from '../../src/devnet/node-server.ts';
import { get } from './node-call.ts';

const running: DevnetNode[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((node) => node.stop()));
});

async function start(port?: number): Promise<DevnetNode> {
  const node = await startEvmNode(port === undefined ? {} : { port });
  running.push(node);
  return node;
}

async function everyBlock(node: DevnetNode): Promise<unknown[]> {
  const blocks = [];
  for (let number = 0; number <= Number(evmFacts.blocks.latest.number); number += 1) {
    blocks.push(await get(node, 'eth_getBlockByNumber', `0x${number.toString(16)}`, true));
  }
  return [...blocks, await get(node, 'eth_getBlockByNumber', 'pending', true)];
}

/**
 * Starts a Node process that guards a child process and then runs `rest`. The child keeps the standard
 * output open, so `closed` resolves once both have ended.
 */
async function runGuarding(rest: string): Promise<{ parent: ChildProcess; closed: Promise<void> }> {
  const guard = new URL('../../src/devnet/evm/child-guard.ts', import.meta.url).href;
  const script = `
    import { spawn } from 'node:child_process';
    import { guardChild } from '${guard}';
    const idle = ['--eval', 'console.log("up"); setInterval(() => {}, 1000)'];
    guardChild(spawn(process.execPath, idle, { stdio: ['ignore', 'inherit', 'ignore'] }));
    ${rest}`;
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(parent, 'close').then(() => undefined);
  await once(parent.stdout, 'data');
  parent.stdout.resume();
  return { parent, closed };
}

describe('the EVM node', () => {
  it('has the same blocks, the pending one included, at each start', async () => {
    const [first, second] = [await start(), await start()];
    expect(second.httpUrl).not.toBe(first.httpUrl);
    expect(await everyBlock(second)).toEqual(await everyBlock(first));
  });

  it('listens on the given port, on 127.0.0.1', async () => {
    const first = await start();
    const port = Number(new URL(first.httpUrl).port);
    await first.stop();
    const second = await start(port);
    expect(second.httpUrl).toBe(`http://127.0.0.1:${port}`);
    expect(second.name).toBe('evm');
  });

  it('answers over WebSocket on the same port', async () => {
    const node = await start();
    const socket = new WebSocket(node.wsUrl!);
    await once(socket, 'open');
    socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}');
    const [message] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(message.toString())).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: evmFacts.chainId,
    });
    socket.terminate();
  });

  it('accepts no connection after it has stopped, and may be stopped twice', async () => {
    const node = await start();
    await node.stop();
    await node.stop();
    await expect(get(node, 'eth_chainId')).rejects.toThrow('fetch failed');
  });

  it('reports in one line that its port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await expect(startEvmNode({ port })).rejects.toThrow(
      /^anvil did not start: Address already in use[^\n]*$/,
    );
    server.close();
  });
});

describe('anvil’s binary', () => {
  it('is searched for in the package of the platform', () => {
    const resolve = (_parent: string, specifier: string): string => specifier;
    expect(locateAnvil('darwin-arm64', resolve)).toBe('@foundry-rs/anvil-darwin-arm64/bin/anvil');
    expect(locateAnvil('win32-x64', resolve)).toBe('@foundry-rs/anvil-win32-amd64/bin/anvil.exe');
  });

  it('that is not installed is reported in one line, with the command that installs it', () => {
    const resolve = (): string => {
      throw new Error('Cannot find module');
    };
    expect(() => locateAnvil('linux-x64', resolve)).toThrow(
      /^the EVM development node needs the package @foundry-rs\/anvil-linux-amd64, which is not installed: run `npm install [^\n]*$/,
    );
  });

  it('that is not available for the platform is reported with the platforms that are', () => {
    expect(() => locateAnvil('sunos-x64')).toThrow(
      /is not available for sunos-x64; expected one of /,
    );
  });
});

describe('the child of a process that exits', () => {
  it('exits on SIGTERM', async () => {
    const { parent, closed } = await runGuarding('setInterval(() => {}, 1000);');
    parent.kill('SIGTERM');
    await closed;
    expect(parent.signalCode).toBe('SIGTERM');
  });

  it('exits on process.exit', async () => {
    const { parent, closed } = await runGuarding("process.on('SIGUSR2', () => process.exit(7));");
    parent.kill('SIGUSR2');
    await closed;
    expect(parent.exitCode).toBe(7);
  });

  it('exits when the program handles the signal itself and then exits', async () => {
    const { parent, closed } = await runGuarding(
      "process.on('SIGTERM', () => setImmediate(() => process.exit(0)));",
    );
    parent.kill('SIGTERM');
    await closed;
    expect(parent.exitCode).toBe(0);
  });
});
