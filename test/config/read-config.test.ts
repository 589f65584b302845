import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/config/config-error.ts';
import { defaultLimits } from '../../src/config/limits.ts';
import { readConfig } from '../../src/config/read-config.ts';
import type { Config } from '../../src/config/schema.ts';

const minimal = `
networks:
  - name: mainnet
    family: evm
    listen: { port: 8545 }
    upstreams:
      - url: https://node.example/rpc
`;

/** Another network, which has to be followed by its last settings. */
function second(port: string): string {
  return minimal
    .replace('\nnetworks:\n', '')
    .replace('mainnet', 'other')
    .replace('port: 8545', `port: ${port}`);
}

/** The network with a host name of its own. */
function named(hostName: string): string {
  return minimal.replace('    upstreams', `    hostNames: ["${hostName}"]\n    upstreams`);
}

function read(text: string, env: Record<string, string> = {}): Config {
  return readConfig(text, 'specgate.yaml', env);
}

function problems(text: string): string[] {
  try {
    read(text);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message.split('\n');
  }
  throw new Error('no problem was found');
}

describe('a configuration', () => {
  it('needs no more than a network with an upstream', () => {
    const config = read(minimal);
    expect(config.networks[0]).toEqual({
      name: 'mainnet',
      family: 'evm',
      listen: { host: '127.0.0.1', port: 8545 },
      upstreams: [{ url: 'https://node.example/rpc', headers: {}, weight: 1, tier: 1, budget: {} }],
    });
    expect(config).toMatchObject({
      accounts: [],
      store: '.specgate/specgate.sqlite',
      ops: { port: 9090 },
      log: 'info',
      limits: {},
    });
  });

  it('takes secrets from the environment', () => {
    const text = `${minimal}        headers: { authorization: "Bearer \${NODE_TOKEN}" }
accounts: [{ id: acme, plan: free, keys: [{ key: "\${ACME_KEY}" }] }]`;
    const config = read(text, { NODE_TOKEN: 'secret', ACME_KEY: 'sg-0123456789abcdef' });
    expect(config.networks[0]!.upstreams[0]!.headers).toEqual({ authorization: 'Bearer secret' });
    expect(config.accounts[0]!.keys[0]!.key).toBe('sg-0123456789abcdef');
    expect(problems(text)).toEqual([
      expect.stringMatching(
        /^specgate\.yaml:8:20: networks\[0\].upstreams\[0\].headers.authorization: NODE_TOKEN is not set; set /,
      ),
      expect.stringMatching(
        /^specgate\.yaml:9:45: accounts\[0\].keys\[0\].key: ACME_KEY is not set; set /,
      ),
    ]);
  });

  it('gives each key to one account, and tells where it stands twice, not what it is', () => {
    const text = `${minimal}accounts:
  - { id: acme, plan: free, keys: [{ key: sg-0123456789abcdef }] }
  - { id: other, plan: free, keys: [{ key: sg-another-key-of-it }, { key: sg-0123456789abcdef }] }`;
    expect(problems(text)).toEqual([
      expect.stringMatching(
        /^specgate\.yaml:10:\d+: accounts\[1\].keys\[1\].key: is a key of account acme already; /,
      ),
    ]);
  });

  it('leaves headers of the connection and of the body to the calls', () => {
    const text = `${minimal}        headers: { Content-Length: '3', transfer-encoding: chunked, x: y }`;
    expect(problems(text)).toEqual([
      expect.stringMatching(/headers.Content-Length: is set for each call; take it out$/),
      expect.stringMatching(/headers.transfer-encoding: is set for each call; take it out$/),
    ]);
  });

  it('is one document, whose aliases can be written out', () => {
    expect(problems(`${minimal}---\n${minimal}`)).toEqual([
      expect.stringMatching(/^specgate\.yaml:\d+:1: another document begins; keep one$/),
    ]);
    const times = (name: string): string => `[${Array.from({ length: 10 }, () => name).join()}]`;
    const bomb = `a: &a ${times('x')}\nb: &b ${times('*a')}\nc: &c ${times('*b')}\nd: ${times('*c')}`;
    expect(problems(bomb)).toEqual([
      expect.stringMatching(/^specgate\.yaml:1:1: its aliases .* stand for too much/),
    ]);
  });

  it('with several upstreams and a partner says which chain they are of', () => {
    const text = `${minimal}      - url: https://other.example/rpc
    partner: { url: https://partner.example/rpc }
    identity: 0x1`;
    expect(read(text).networks[0]).toMatchObject({ identity: '1' });
  });

  it('may set every limit by its name, and no other', () => {
    for (const [name, value] of Object.entries(defaultLimits)) {
      expect(read(`${minimal}limits: { ${name}: ${value} }`).limits).toEqual({ [name]: value });
    }
    expect(problems(`${minimal}limits: { request_byte: 1 }`)).toEqual([
      'specgate.yaml:8:11: limits.request_byte: no such setting; did you mean request_bytes?',
    ]);
  });

  const wrong: [what: string, text: string, problem: RegExp][] = [
    ['a syntax error', 'networks: [', /^specgate\.yaml:1:12: /],
    ['nothing at all', '', /^specgate\.yaml:1:1: networks: /],
    [
      'no network',
      'networks: []',
      /^specgate\.yaml:1:1: networks: there must be at least one network/,
    ],
    [
      'a misspelt setting',
      `${minimal}stroe: x`,
      /^specgate\.yaml:8:1: stroe: no such setting; did you mean store\?$/,
    ],
    [
      'a setting that resembles none',
      `${minimal}colour: red`,
      /^specgate\.yaml:8:1: colour: no such setting; remove it, or use one of networks, plans, /,
    ],
    [
      'a misspelt setting deep inside',
      minimal.replace('url:', 'wieght: 2\n        url:'),
      /^specgate\.yaml:7:9: networks\[0\].upstreams\[0\].wieght: no such setting; did you mean weight\?$/,
    ],
    [
      'text in place of a number',
      minimal.replace('8545', 'high'),
      /^specgate\.yaml:5:\d+: networks\[0\].listen.port: is text; write a number$/,
    ],
    [
      'a number that is not whole',
      minimal.replace('8545', '85.5'),
      /listen.port: is not whole; write a whole number$/,
    ],
    [
      'a number that is too small',
      `${minimal}limits: { drain_ms: 0 }`,
      /^specgate\.yaml:8:11: limits.drain_ms: is too small; write 1 or more$/,
    ],
    [
      'a level there is not',
      `${minimal}log: inof`,
      /^specgate\.yaml:8:1: log: is not one of debug, info, .*; did you mean info\?$/,
    ],
    [
      'an upstream without an address',
      minimal.replace('url: https://node.example/rpc', 'name: x'),
      /^specgate\.yaml:7:\d+: networks\[0\].upstreams\[0\].url: not an http/,
    ],
    [
      'a header that HTTP does not have',
      `${minimal}        headers: { "x y": z }`,
      /^specgate\.yaml:8:20: networks\[0\].upstreams\[0\].headers.x y: not the name of a header; use /,
    ],
    [
      'a header whose value HTTP does not allow',
      `${minimal}        headers: { x: "a\\nb" }`,
      /headers.x: holds a character that headers may not; take line breaks out/,
    ],
    [
      'networks that share an address and have no names',
      `${minimal}${second('8545')}`,
      /^specgate\.yaml:5:5: networks\[0\].listen: shares 127.0.0.1:8545 with other; set hostNames$/,
    ],
    [
      'a host name of two networks',
      `${named('rpc.example')}${second('8545, host: 127.0.0.1')}    hostNames: [rpc.example]`,
      /networks\[1\].hostNames\[0\]: is a name of network mainnet too; take one of them out$/,
    ],
    [
      'TLS for one of the networks of an address',
      `${named('rpc.example')}${second('8545, tls: { cert: a, key: b }')}    hostNames: [b.example]`,
      /networks\[0\].listen: all networks of an address have tls, or none; set it for each$/,
    ],
    [
      'a host name with a port',
      named('rpc.example:80'),
      /networks\[0\].hostNames\[0\]: not a host name; write e.g. rpc.example.com/,
    ],
    [
      'a network where operations are',
      minimal.replace('8545', '9090'),
      /networks\[0\].listen.port: ops listens there; set another port$/,
    ],
    [
      'a proxy that is no address',
      `${minimal}trustedProxies: [proxy.example]`,
      /trustedProxies\[0\]: not an address or range; write e.g. 127.0.0.1 or 10.0.0.0\/8$/,
    ],
    [
      'leases that outlive their renewal',
      `${minimal}limits: { lease_tick_ms: 9000 }`,
      /limits.lease_tick_ms: must be at most half of lease_ttl_ms; lower it$/,
    ],
    [
      'a bad URL',
      minimal.replace('https:', 'ftp:'),
      /^specgate\.yaml:7:\d+: networks\[0\].upstreams\[0\].url: not an http\(s\) or ws\(s\) URL; write e\.g\. http/,
    ],
    [
      'a bad family',
      minimal.replace('evm', 'btc'),
      /^specgate\.yaml:4:\d+: networks\[0\].family: not a family; write evm or svm/,
    ],
    [
      'a bad port',
      minimal.replace('8545', '85450'),
      /^specgate\.yaml:5:\d+: networks\[0\].listen.port: /,
    ],
    [
      'a missing port',
      minimal.replace('port: 8545', ''),
      /^specgate\.yaml:5:\d+: networks\[0\].listen.port: /,
    ],
    [
      'two networks of one name',
      minimal + minimal.replace('networks:', ''),
      /^specgate\.yaml:10:\d+: networks\[1\].name: there is another network mainnet; name it otherwise/,
    ],
    [
      'two upstreams and no identity',
      `${minimal}      - url: https://other.example/rpc`,
      /^specgate\.yaml:3:\d+: networks\[0\].identity: missing; .*say which chain/,
    ],
    [
      'a partner and no identity',
      `${minimal}    partner: { url: https://partner.example/rpc }`,
      /^specgate\.yaml:3:\d+: networks\[0\].identity: missing; .*say which chain/,
    ],
    [
      'a key that is none',
      `${minimal}accounts: [{ id: a, plan: free, keys: [{ key: "a b" }] }]`,
      /keys\[0\].key: not a key; use 4 to 128 /,
    ],
    [
      'a moment that is none',
      `${minimal}accounts: [{ id: a, plan: free, keys: [{ key: abcd, expiresAt: soon }] }]`,
      /expiresAt: not a moment; write e\.g\. 2030/,
    ],
  ];

  it.each(wrong)('with %s is refused, naming the place and the mend', (...[, text, problem]) => {
    expect(problems(text)[0]).toMatch(problem);
  });

  it('is told of all that is wrong with it at once', () => {
    const text = minimal.replace('evm', 'btc').replace('8545', 'x').replace('https:', 'ftp:');
    expect(problems(text)).toHaveLength(3);
  });
});
