import { expect, it, onTestFinished } from 'vitest';
import { document } from '../support/document.ts';
import { serve } from '../support/serve.ts';
import { request } from '../transport/support.ts';
import { startFakeNode } from '../upstream/fake-node.ts';

interface Described {
  readonly servers: readonly { readonly name: string; readonly url: string }[];
  readonly methods: readonly { readonly name: string; readonly 'x-network-family': string }[];
}

it('each network describes itself: its methods, and its public address if the configuration has one', async () => {
  const node = await startFakeNode(() => 'null');
  const upstreams = [{ url: node.url.href }];
  const listen = { port: 0 };
  const gateway = await serve({
    networks: [
      {
        name: 'mainnet',
        family: 'evm',
        identity: 31337,
        listen,
        upstreams,
        publicUrl: 'https://rpc.example.com/eth/',
      },
      { name: 'local', family: 'evm', identity: 31337, listen, upstreams },
    ],
    accounts: [{ id: 'acme', plan: 'free', keys: [{ key: 'acme-key-0123456789' }] }],
  });
  onTestFinished(() => void gateway.stop());
  const [mainnet = '', local = ''] = gateway.bases;
  const discover = async (base: string): Promise<Described> => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}';
    const answer = await request(`${base}/v3/acme-key-0123456789`, { body });
    return (answer.body as { result: Described }).result;
  };
  const [first, second] = [await discover(mainnet), await discover(local)];
  expect(first.servers.map(({ name, url }) => [name, url])).toEqual([
    ['mainnet-http', 'https://rpc.example.com/eth/v3/{api_key}'],
    ['mainnet-websocket', 'wss://rpc.example.com/eth/ws/v3/{api_key}'],
  ]);
  const whole = document as unknown as Described;
  expect(second.servers).toEqual(whole.servers);
  for (const { methods } of [first, second]) {
    expect(methods).toEqual(whole.methods.filter((method) => method['x-network-family'] === 'evm'));
  }

  const fetchDocument = (base: string, headers: Record<string, string>) =>
    fetch(`${base}/v3/openrpc.json`, { headers });
  const plain = await fetchDocument(mainnet, { 'accept-encoding': 'identity' });
  expect(await plain.json()).toEqual(first);
  const tag = plain.headers.get('etag')!;
  expect((await fetchDocument(local, {})).headers.get('etag')).not.toContain(tag.slice(1, 20));
  const again = { 'accept-encoding': 'identity', 'if-none-match': tag };
  expect((await fetchDocument(mainnet, again)).status).toBe(304);
  const packed = await fetchDocument(mainnet, { 'accept-encoding': 'br' });
  expect(packed.headers.get('content-encoding')).toBe('br');
  expect(packed.headers.get('etag')).toBe(tag.replace(/"$/, '-br"'));
  expect(await packed.json()).toEqual(first);
});
