/** `npm start`, on free ports. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { document } from '../support/document.ts';
import { npmStart, startProduct, type Product } from '../support/product.ts';
import { fullParams } from '../support/samples.ts';
import { call, httpWire, webSocketWire } from '../support/wire.ts';

/** Returns `pid` and all its descendants, from /proc. */
function family(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // The process ended while we were reading.
    }
  }
  const members = [pid];
  for (const member of members) {
    for (const [child, parent] of parents) if (parent === member) members.push(child);
  }
  return members;
}

function isAlive(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

describe('specgate dev', () => {
  let product: Product;
  beforeAll(() => {
    product = inject('product');
  });

  test('readyz and healthz are 200 when everything works', async () => {
    for (const path of ['readyz', 'healthz']) {
      expect((await fetch(new URL(path, product.ops))).status, path).toBe(200);
    }
  });

  test('metrics are served in the Prometheus format', async () => {
    await call(httpWire(product.networks.evm.http), 'eth_getBlockByNumber', ['latest', false]);
    const text = await (await fetch(new URL('metrics', product.ops))).text();
    expect(text).toMatch(/^# TYPE specgate_\S+ counter$/m);
    expect(text).toContain('eth_getBlockByNumber');
    expect(text).not.toContain('/v3/demo');
  });

  test('every live result is checked against the document and matches it', async () => {
    const wire = httpWire(product.networks.evm.http);
    for (const tag of ['latest', 'pending', 'earliest'])
      await call(wire, 'eth_getBlockByNumber', [tag, true]);
    const counted = async (outcome: string): Promise<number> => {
      const text = await (await fetch(new URL('metrics', product.ops))).text();
      const lines = text
        .split('\n')
        .filter(
          (line) =>
            line.startsWith('specgate_contract_checks_total{') &&
            line.includes(`outcome="${outcome}"`),
        );
      return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
    };
    await expect.poll(() => counted('checked')).toBeGreaterThan(2);
    expect(await counted('violation')).toBe(0);
  });

  test('the document is served with every digit of its numbers', async () => {
    const file = readFileSync(new URL('../../openrpc.json', import.meta.url), 'utf8');
    expect(await (await fetch(new URL('openrpc.json', product.docs))).text()).toBe(file);
    const { text } = await httpWire(product.networks.evm.http).send(
      '{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}',
    );
    expect(text).toContain('18446744073709551615');
  });

  test('the docs port serves the site with the addresses of these networks', async () => {
    const page = await fetch(product.docs);
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    for (const { http, ws } of Object.values(product.networks)) {
      for (const url of [http, ws]) expect(policy).toContain(new URL(url).host);
    }
    const html = await page.text();
    for (const method of document.methods) {
      expect(html).toContain(`methods/${method.name}.html`);
      expect(html).toContain(`${method['x-credits']?.toLocaleString('en')} credits`);
    }
    const config = await (await fetch(new URL('config.json', product.docs))).json();
    expect(config).toMatchObject({
      networks: Object.values(product.networks).map(({ http, ws }) => ({ http, ws })),
      key: 'demo',
    });
    expect(await (await fetch(new URL('openrpc.json', product.docs))).json()).toEqual(document);
  });

  test.each(document.methods.map(({ name, 'x-network-family': kind }) => ({ name, kind })))(
    '$name is answered over HTTP and WebSocket with key demo',
    async ({ name, kind }) => {
      const network = kind === 'svm' ? product.networks.solana : product.networks.evm;
      expect(network.http).toMatch(/\/v3\/demo$/);
      expect(network.ws).toMatch(/\/ws\/v3\/demo$/);
      const socket = await webSocketWire(network.ws);
      try {
        // A node rejects a call object with every field; a plain transfer is enough.
        const params =
          name === 'eth_estimateGas'
            ? [{ to: `0x${'cd'.repeat(20)}` }]
            : name === 'getProgramAccounts'
              ? [fullParams[name]![0], { encoding: 'base64' }]
              : fullParams[name]!;
        for (const wire of [httpWire(network.http), socket]) {
          const answer = await call(wire, name, params);
          expect(answer.error).toBeUndefined();
          expect(answer).toHaveProperty('result');
        }
      } finally {
        await socket.close();
      }
    },
  );
});

describe('npm start', () => {
  let started: Awaited<ReturnType<typeof startProduct>>;
  beforeAll(async () => {
    started = await startProduct(npmStart);
  });
  afterAll(() => started.stop());

  test('drains on SIGTERM, exits with 0 and leaves no process behind', async () => {
    const members = family(started.pid);
    expect(members.length).toBeGreaterThan(1);
    expect(await started.stop()).toBe(0);
    expect(members.filter(isAlive)).toEqual([]);
  });
});
