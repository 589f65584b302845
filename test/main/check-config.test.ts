import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/read-config.ts';
import { checkConfig, mergePlans } from '../../src/main/load-config.ts';
import { protocol } from '../../src/main/dependencies.ts';

const minimal = `
networks: [{ name: mainnet, family: evm, listen: { port: 0 }, upstreams: [{ url: 'http://n/' }] }]
`;

function problems(rest: string): string[] {
  const config = readConfig(minimal + rest, 'specgate.yaml', {});
  return checkConfig(config, protocol).map(({ path, what }) => `${path.join('.')}: ${what}`);
}

describe('a configuration for the service', () => {
  it('accepts plans of the document and of the configuration only', () => {
    expect(problems('accounts: [{ id: a, plan: tema }]')).toEqual([
      'accounts.0.plan: unknown plan; did you mean team?',
    ]);
    expect(problems('accounts: [{ id: a, plan: platinum }]')).toEqual([
      'accounts.0.plan: unknown plan, expected one of free, developer, team, custom',
    ]);
    const plans = 'plans: { platinum: { creditsPerDay: 9, callsPerSecond: 9 } }';
    expect(problems(`${plans}\naccounts: [{ id: a, plan: platinum }]`)).toEqual([]);
  });

  it('names a known kind of store', () => {
    expect(problems('store: mysql://127.0.0.1/specgate')).toEqual([
      'store: unknown store type "mysql", expected sqlite:PATH or postgres://user:password@host:port/database',
    ]);
  });

  it('names a store that can be opened', () => {
    expect(problems('store: /')).toEqual([
      'store: / is a folder, expected a file; add a file name',
    ]);
    expect(problems('store: sqlite:/dev/null/a/b.sqlite')).toEqual([
      'store: /dev/null is a file, expected a folder; choose a path below a folder',
    ]);
    for (const good of ['new/folder/store.sqlite', "':memory:'"]) {
      expect(problems(`store: ${good}`)).toEqual([]);
    }
  });

  it('has no two addresses in conflict', () => {
    const reading = (host: string, more: string) => {
      const network = `networks: [{ name: a, family: evm, listen: { host: '${host}', port: 8545 }, upstreams: [{ url: 'http://n/' }] }]`;
      return () => readConfig(`${network}\n${more}`, 'specgate.yaml', {});
    };
    const ops = (host: string): string => `ops: { host: '${host}', port: 8545 }`;
    expect(reading('0.0.0.0', ops('127.0.0.1'))).toThrow(
      'ops: overlaps network a at 0.0.0.0:8545; set another port',
    );
    expect(reading('127.0.0.1', ops('0.0.0.0'))).toThrow('set another port');
    expect(reading('::', ops('127.0.0.1'))).toThrow('set another port');
    expect(reading('127.0.0.1', ops('localhost'))).toThrow('set another port');
    expect(reading('localhost', ops('::1'))).toThrow('set another port');
    const both = "ops: { port: 9000 }\ndocs: { host: '127.0.0.1', port: 9000 }";
    expect(reading('127.0.0.1', both)).toThrow('docs: overlaps ops at 127.0.0.1:9000');
    expect(reading('127.0.0.1', ops('127.0.0.2'))).not.toThrow();
    expect(reading('127.0.0.2', ops('localhost'))).not.toThrow();
    expect(reading('0.0.0.0', ops('::1'))).not.toThrow();
  });

  it('refuses empty variables', () => {
    const text = `networks: [{ name: a, family: evm, listen: { port: 0 }, upstreams: [{ url: 'http://n/', headers: { authorization: 'Bearer \${TOKEN}' } }] }]`;
    expect(() => readConfig(text, 'specgate.yaml', { TOKEN: '' })).toThrow(
      'environment variable TOKEN is empty; set it',
    );
    expect(() => readConfig(text, 'specgate.yaml', { TOKEN: 'a' })).not.toThrow();
  });

  it('sets the terms that a plan leaves to its accounts', () => {
    expect(problems('accounts: [{ id: a, plan: custom, creditsPerDay: 5 }]')).toEqual([
      'accounts.0.callsPerSecond: required, because plan custom does not set it',
    ]);
  });

  it('allows known methods and networks only', () => {
    const allow = 'allow: { methods: [eth_getBlockByNumbr], networks: [mainet] }';
    expect(
      problems(`accounts: [{ id: a, plan: free, keys: [{ key: abcdef, ${allow} }] }]`),
    ).toEqual([
      'accounts.0.keys.0.allow.methods.0: unknown method; did you mean eth_getBlockByNumber?',
      'accounts.0.keys.0.allow.networks.0: unknown network; did you mean mainnet?',
    ]);
  });

  it('allows well-formed origins and contracts only', () => {
    const good =
      "origins: ['https://a.example', 'chrome-extension://abc'], contracts: ['0x00000000219ab540356cbb839cbe05303d7705fa']";
    const bad = "origins: ['https://a.example/', a.example], contracts: ['0x1']";
    const accountWith = (lists: string): string =>
      `accounts: [{ id: a, plan: free, keys: [{ key: abcdef, allow: { ${lists} } }] }]`;
    expect(problems(accountWith(good))).toEqual([]);
    expect(problems(accountWith(bad))).toEqual([
      expect.stringMatching(
        /^accounts.0.keys.0.allow.origins.0: expected an origin such as https:\/\/app.example.org/,
      ),
      expect.stringMatching(
        /^accounts.0.keys.0.allow.origins.1: expected an origin such as https:\/\/app.example.org/,
      ),
      expect.stringMatching(/^accounts.0.keys.0.allow.contracts.0: expected an address: 0x and 40/),
    ]);
  });
});

describe('plans', () => {
  it('are those of the document, overridden and extended by the configuration', () => {
    const described = [
      { name: 'free', creditsPerDay: 10, callsPerSecond: 2, forwarding: false },
      { name: 'custom', creditsPerDay: null, callsPerSecond: null, forwarding: true },
    ];
    expect(
      mergePlans(described, { free: { callsPerSecond: 5 }, gold: { creditsPerDay: 7 } }),
    ).toEqual([
      { name: 'free', creditsPerDay: 10, callsPerSecond: 5, forwarding: false },
      { name: 'custom', creditsPerDay: null, callsPerSecond: null, forwarding: true },
      { name: 'gold', creditsPerDay: 7, callsPerSecond: null, forwarding: false },
    ]);
  });
});
