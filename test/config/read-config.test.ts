import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/config/config-error.ts';
import { defaultLimits, publicLimits } from '../../src/config/limits.ts';
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

/** Returns another network; its last settings can be appended. */
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
  it('needs only a network with an upstream', () => {
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

  it('reads secrets from the environment', () => {
    const text = `${minimal}        headers: { authorization: "Bearer \${NODE_TOKEN}" }
accounts: [{ id: acme, plan: free, keys: [{ key: "\${ACME_KEY}" }] }]`;
    const config = read(text, { NODE_TOKEN: 'secret', ACME_KEY: 'sg-0123456789abcdef' });
    expect(config.networks[0]!.upstreams[0]!.headers).toEqual({ authorization: 'Bearer secret' });
    expect(config.accounts[0]!.keys[0]!.key).toBe('sg-0123456789abcdef');
    expect(problems(text)).toEqual([
      expect.stringMatching(
        /^specgate\.yaml:8:20: networks\[0\].upstreams\[0\].headers.authorization: environment variable NODE_TOKEN is not set; set it/,
      ),
      expect.stringMatching(
        /^specgate\.yaml:9:45: accounts\[0\].keys\[0\].key: environment variable ACME_KEY is not set; set it/,
      ),
    ]);
  });

  it('reports the position of a key used twice, not the key', () => {
    const text = `${minimal}accounts:
  - { id: acme, plan: free, keys: [{ key: sg-0123456789abcdef }] }
  - { id: other, plan: free, keys: [{ key: sg-another-key-of-it }, { key: sg-0123456789abcdef }] }`;
    expect(problems(text)).toEqual([
      expect.stringMatching(
        /^specgate\.yaml:10:\d+: accounts\[1\].keys\[1\].key: already a key of account "acme"; /,
      ),
    ]);
  });

  it('rejects headers of the connection and of the body', () => {
    const text = `${minimal}        headers: { Content-Length: '3', transfer-encoding: chunked, x: y }`;
    expect(problems(text)).toEqual([
      expect.stringMatching(/headers.Content-Length: reserved header; remove it$/),
      expect.stringMatching(/headers.transfer-encoding: reserved header; remove it$/),
    ]);
  });

  it('rejects a burst without calls per second', () => {
    expect(problems(`${minimal}        budget: { burst: 5 }`)).toEqual([
      expect.stringMatching(/budget.burst: expected callsPerSecond beside it$/),
    ]);
    read(`${minimal}        budget: { callsPerSecond: 9, burst: 5 }`);
  });

  it('is one YAML document with bounded aliases', () => {
    expect(problems(`${minimal}---\n${minimal}`)).toEqual([
      expect.stringMatching(/^specgate\.yaml:\d+:1: expected one YAML document, got several$/),
    ]);
    const times = (name: string): string => `[${Array.from({ length: 10 }, () => name).join()}]`;
    const bomb = `a: &a ${times('x')}\nb: &b ${times('*a')}\nc: &c ${times('*b')}\nd: ${times('*c')}`;
    expect(problems(bomb)).toEqual([
      expect.stringMatching(/^specgate\.yaml:1:1: aliases .* expand to too much/),
    ]);
  });

  it('has an identity if it has several upstreams and a partner', () => {
    const text = `${minimal}      - url: https://other.example/rpc
    partner: { url: https://partner.example/rpc }
    identity: 0x1`;
    expect(read(text).networks[0]).toMatchObject({ identity: '1' });
  });

  it('can set public limits only', () => {
    for (const name of Object.keys(publicLimits) as (keyof typeof publicLimits)[]) {
      const value = defaultLimits[name];
      expect(read(`${minimal}limits: { ${name}: ${value} }`).limits).toEqual({ [name]: value });
    }
    expect(problems(`${minimal}limits: { request_byte: 1 }`)).toEqual([
      'specgate.yaml:8:11: limits.request_byte: unknown setting; did you mean request_bytes?',
    ]);
    expect(problems(`${minimal}limits: { response_depth: 1 }`)[0]).toContain('unknown setting');
  });

  const wrong: [what: string, text: string, problem: RegExp][] = [
    ['a syntax error', 'networks: [', /^specgate\.yaml:1:12: /],
    ['an empty file', '', /^specgate\.yaml:1:1: networks: /],
    ['no network', 'networks: []', /^specgate\.yaml:1:1: networks: expected at least one network/],
    [
      'a misspelt setting',
      `${minimal}stroe: x`,
      /^specgate\.yaml:8:1: stroe: unknown setting; did you mean store\?$/,
    ],
    [
      'a key without the name of its setting',
      `${minimal}accounts: [{ id: a, plan: free, keys: [{ key: key-0123456789abcdef, secretkey }] }]`,
      /^specgate\.yaml:8:\d+: accounts\[0\]\.keys\[0\]: unknown setting, expected one of (?!.*secretkey)/,
    ],
    [
      'a key of digits without quotes',
      `${minimal}accounts: [{ id: a, plan: free, keys: [{ key: 4111222233334444 }] }]`,
      /^specgate\.yaml:8:\d+: accounts\[0\]\.keys\[0\]\.key: expected a string, got a number$/,
    ],
    [
      'a number in place of a list of keys',
      `${minimal}accounts: [{ id: a, plan: free, keys: [4111222233334444] }]`,
      /keys\[0\]: expected a mapping, got a number$/,
    ],
    [
      'a key in place of a list of keys',
      `${minimal}accounts: [{ id: a, plan: free, secret-key-0123 }]`,
      /^specgate\.yaml:8:\d+: accounts\[0\]: unknown setting, expected one of (?!.*secret-key)/,
    ],
    [
      'an unknown setting unlike any other',
      `${minimal}paint: red`,
      /^specgate\.yaml:8:1: paint: unknown setting, expected one of networks, plans, /,
    ],
    [
      'a misspelt setting deep inside',
      minimal.replace('url:', 'wieght: 2\n        url:'),
      /^specgate\.yaml:7:9: networks\[0\].upstreams\[0\].wieght: unknown setting; did you mean weight\?$/,
    ],
    [
      'a string in place of a number',
      minimal.replace('8545', 'high'),
      /^specgate\.yaml:5:\d+: networks\[0\].listen.port: expected a number, got a string$/,
    ],
    [
      'a fraction in place of an integer',
      minimal.replace('8545', '85.5'),
      /listen.port: expected an integer, got 85.5$/,
    ],
    [
      'a number that is too small',
      `${minimal}limits: { drain_ms: 0 }`,
      /^specgate\.yaml:8:11: limits.drain_ms: expected 1 or more, got 0$/,
    ],
    [
      'an unknown log level',
      `${minimal}log: inof`,
      /^specgate\.yaml:8:1: log: expected one of debug, info, .*, got "inof"; did you mean info\?$/,
    ],
    [
      'an upstream without an address',
      minimal.replace('url: https://node.example/rpc', 'name: x'),
      /^specgate\.yaml:7:\d+: networks\[0\].upstreams\[0\].url: invalid URL, expected http/,
    ],
    [
      'an invalid header name',
      `${minimal}        headers: { "x y": z }`,
      /^specgate\.yaml:8:20: networks\[0\].upstreams\[0\].headers.x y: invalid header name, expected /,
    ],
    [
      'an invalid header value',
      `${minimal}        headers: { x: "a\\nb" }`,
      /headers.x: invalid character in header value; remove line breaks/,
    ],
    [
      'networks that share an address without host names',
      `${minimal}${second('8545')}`,
      /^specgate\.yaml:5:5: networks\[0\].listen: shares 127.0.0.1:8545 with network other; set hostNames$/,
    ],
    [
      'a host name of two networks',
      `${named('rpc.example')}${second('8545, host: 127.0.0.1')}    hostNames: [rpc.example]`,
      /networks\[1\].hostNames\[0\]: already a host name of network mainnet; remove one of them$/,
    ],
    [
      'TLS for one of the networks of an address',
      `${named('rpc.example')}${second('8545, tls: { cert: a, key: b }')}    hostNames: [b.example]`,
      /networks\[0\].listen: only some networks at 127.0.0.1:8545 have tls; set it for all or none$/,
    ],
    [
      'a host name with a port',
      named('rpc.example:80'),
      /networks\[0\].hostNames\[0\]: invalid host name, expected e.g. rpc.example.com/,
    ],
    [
      'a network at the address of ops',
      minimal.replace('8545', '9090'),
      /networks\[0\].listen.port: port 9090 is used by ops; change one$/,
    ],
    [
      'a proxy that is not an address',
      `${minimal}trustedProxies: [proxy.example]`,
      /trustedProxies\[0\]: invalid address or range, expected e.g. 127.0.0.1 or 10.0.0.0\/8$/,
    ],
    [
      'a bad URL',
      minimal.replace('https:', 'ftp:'),
      /^specgate\.yaml:7:\d+: networks\[0\].upstreams\[0\].url: invalid URL, expected http\(s\) or ws\(s\), e\.g\. http/,
    ],
    [
      'a bad family',
      minimal.replace('evm', 'btc'),
      /^specgate\.yaml:4:\d+: networks\[0\].family: invalid family, expected evm or svm/,
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
      'two networks with the same name',
      minimal + minimal.replace('networks:', ''),
      /^specgate\.yaml:10:\d+: networks\[1\].name: duplicate network name "mainnet"; rename one of them/,
    ],
    [
      'two upstreams and no identity',
      `${minimal}      - url: https://other.example/rpc`,
      /^specgate\.yaml:3:\d+: networks\[0\].identity: missing, required with a partner or several upstreams/,
    ],
    [
      'a partner and no identity',
      `${minimal}    partner: { url: https://partner.example/rpc }`,
      /^specgate\.yaml:3:\d+: networks\[0\].identity: missing, required with a partner or several upstreams/,
    ],
    [
      'an invalid key',
      `${minimal}accounts: [{ id: a, plan: free, keys: [{ key: "a b" }] }]`,
      /keys\[0\].key: invalid key, expected 4 to 128 /,
    ],
    [
      'an invalid time',
      `${minimal}accounts: [{ id: a, plan: free, keys: [{ key: abcd, expiresAt: soon }] }]`,
      /expiresAt: invalid time, expected e\.g\. 2030/,
    ],
  ];

  it.each(wrong)('with %s is rejected with position and fix', (...[, text, problem]) => {
    expect(problems(text)[0]).toMatch(problem);
  });

  it('is rejected with all its errors at once', () => {
    const text = minimal.replace('evm', 'btc').replace('8545', 'x').replace('https:', 'ftp:');
    expect(problems(text)).toHaveLength(3);
  });
});
