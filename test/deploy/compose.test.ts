import { describe, expect, it } from 'vitest';
import { defaultLimits } from '../../src/config/limits.ts';
import { readConfig } from '../../src/config/read-config.ts';
import { parseDeployed, readDeployed } from './support.ts';

interface Service {
  readonly image: string;
  readonly environment?: Record<string, string>;
  readonly volumes: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: object;
  readonly stop_grace_period?: string;
}

const [{ services }] = parseDeployed('compose.yaml') as [{ services: Record<string, Service> }];
const gateways = Object.keys(services).filter((name) => name.startsWith('gateway'));

describe('compose.yaml', () => {
  it('has two equal gateways on one PostgreSQL behind nginx', () => {
    expect(Object.keys(services)).toEqual(['postgres', 'gateway-1', 'gateway-2', 'nginx']);
    expect(services['gateway-1']).toEqual(services['gateway-2']);
    expect(services['gateway-1']?.environment?.['SPECGATE_STORE']).toMatch(/@postgres:5432\//);
  });

  it('pins every image that is not built', () => {
    for (const { image } of Object.values(services)) {
      expect(image).toMatch(/^specgate$|:\d+\.\d+(?:\.\d+)?(?:-\w+)?$/);
    }
  });

  it('gives the gateways a configuration they accept, with every variable it names', () => {
    const { environment, volumes } = services['gateway-1']!;
    expect(volumes).toContain('./specgate.yaml:/etc/specgate/specgate.yaml:ro');
    const env = Object.fromEntries(
      Object.keys(environment!).map((name) => [name, 'https://node.example.com/']),
    );
    const text = readDeployed('specgate.yaml');
    expect(readConfig(text, 'specgate.yaml', env).networks).toHaveLength(2);
  });

  it('gives a gateway more time to stop than its drain may take', () => {
    const grace_ms = Number.parseInt(services['gateway-1']!.stop_grace_period!, 10) * 1000;
    expect(grace_ms).toBeGreaterThan(defaultLimits.drain_ms);
  });

  it('publishes nginx only, on this machine only, and nginx knows every gateway and port', () => {
    expect(Object.keys(services).filter((name) => services[name]?.ports !== undefined)).toEqual([
      'nginx',
    ]);
    expect(services['nginx']?.ports).toEqual(['127.0.0.1:8080:8080']);
    const env = {
      EVM_NODE_URL: 'http://node/',
      SOLANA_NODE_URL: 'http://node/',
      EVM_NODE_TOKEN: 'x',
      SOLANA_NODE_TOKEN: 'x',
      SPECGATE_STORE: 'x',
    };
    const { networks } = readConfig(readDeployed('specgate.yaml'), 'specgate.yaml', env);
    const servers = [...readDeployed('nginx/nginx.conf').matchAll(/^\s+server ([\w-]+:\d+) /gm)];
    expect(servers.map(([, address]) => address)).toEqual(
      networks.flatMap(({ listen }) => gateways.map((name) => `${name}:${listen.port}`)),
    );
  });
});
