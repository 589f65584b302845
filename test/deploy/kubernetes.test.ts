import { describe, expect, it } from 'vitest';
import { defaultLimits } from '../../src/config/limits.ts';
import { readConfig } from '../../src/config/read-config.ts';
import { parseDeployed, readDeployed } from './support.ts';

interface Reference {
  readonly name: string;
  readonly key: string;
}

interface Container {
  readonly image: string;
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom: { readonly secretKeyRef: Reference };
  }[];
  readonly [probe: `${string}Probe`]: { readonly httpGet: { path: string; port: string } };
  readonly lifecycle: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
  readonly securityContext: Record<string, unknown>;
}

interface Deployment {
  readonly spec: {
    readonly replicas: number;
    readonly selector: { readonly matchLabels: object };
    readonly template: {
      readonly metadata: { readonly labels: object; readonly annotations: Record<string, string> };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly securityContext: Record<string, unknown>;
        readonly containers: readonly [Container];
        readonly volumes: readonly { readonly configMap: { readonly name: string } }[];
      };
    };
  };
}

const [deployment] = parseDeployed('kubernetes/deployment.yaml') as [Deployment];
const pod = deployment.spec.template;
const [container] = pod.spec.containers;
const [kustomization] = parseDeployed('kustomization.yaml') as [
  {
    resources: string[];
    configMapGenerator: { name: string; files: string[] }[];
    images: { name: string }[];
  },
];

describe('the Kubernetes manifests', () => {
  it('are all part of the kustomization, except the example of secrets', () => {
    for (const path of kustomization.resources) {
      for (const resource of parseDeployed(path)) {
        expect(resource).toMatchObject({
          apiVersion: expect.any(String),
          kind: expect.any(String),
        });
        expect(JSON.stringify(resource)).not.toContain('"kind":"Secret"');
      }
    }
    expect(kustomization.images.map(({ name }) => name)).toEqual([container.image]);
  });

  it('use /readyz as the readiness probe and /healthz as the liveness probe', () => {
    expect(container.readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'ops' });
    expect(container.livenessProbe?.httpGet).toEqual({ path: '/healthz', port: 'ops' });
    expect(container.startupProbe?.httpGet).toEqual({ path: '/healthz', port: 'ops' });
  });

  it('give a pod more time to stop than its drain may take', () => {
    const paused_ms = container.lifecycle.preStop.sleep.seconds * 1000;
    const grace_ms = pod.spec.terminationGracePeriodSeconds * 1000;
    expect(grace_ms).toBeGreaterThan(paused_ms + defaultLimits.drain_ms);
  });

  it('run without privileges', () => {
    expect(pod.spec.securityContext).toMatchObject({ runAsNonRoot: true });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it('refer to every secret, and every reference names a key of the example', () => {
    const secrets = parseDeployed('kubernetes/secrets.example.yaml') as {
      metadata: { name: string };
      stringData: Record<string, string>;
    }[];
    for (const { value, valueFrom } of container.env) {
      expect(value).toBeUndefined();
      const { name, key } = valueFrom.secretKeyRef;
      const secret = secrets.find(({ metadata }) => metadata.name === name);
      expect(Object.keys(secret?.stringData ?? {})).toContain(key);
    }
  });

  it('give the gateway a configuration it accepts, with the ports that are published', () => {
    const [generated] = kustomization.configMapGenerator;
    expect(pod.spec.volumes.map(({ configMap }) => configMap.name)).toEqual([generated?.name]);
    expect(generated?.files).toEqual(['specgate.yaml']);
    const env = Object.fromEntries(container.env.map(({ name }) => [name, urlFor(name)]));
    const { networks, ops } = readConfig(readDeployed('specgate.yaml'), 'specgate.yaml', env);
    const listening = [
      ...networks.map(({ name, listen }) => ({ name, ...listen })),
      { name: 'ops', ...ops },
    ];
    expect(container.ports.map(({ name, containerPort }) => [name, containerPort])).toEqual(
      listening.map(({ name, port }) => [name, port]),
    );
    for (const { host } of listening) expect(host).toBe('0.0.0.0');
  });

  it('select the intended pods, and route each host name to the port of its network', () => {
    const [service] = parseDeployed('kubernetes/service.yaml') as [
      {
        metadata: { name: string };
        spec: { selector: object; ports: { name: string; targetPort: string }[] };
      },
    ];
    const [budget] = parseDeployed('kubernetes/disruption-budget.yaml') as [
      { spec: { maxUnavailable: number; selector: { matchLabels: object } } },
    ];
    const [policy] = parseDeployed('kubernetes/network-policy.yaml') as [
      { spec: { podSelector: { matchLabels: object } } },
    ];
    const [ingress] = parseDeployed('kubernetes/ingress.yaml') as [
      {
        spec: {
          rules: {
            host: string;
            http: { paths: { backend: { service: { name: string; port: { name: string } } } }[] };
          }[];
        };
      },
    ];
    const { labels } = pod.metadata;
    expect(deployment.spec.selector.matchLabels).toEqual(labels);
    expect(service.spec.selector).toEqual(labels);
    expect(budget.spec.selector.matchLabels).toEqual(labels);
    expect(policy.spec.podSelector.matchLabels).toEqual(labels);
    expect(budget.spec.maxUnavailable).toBeLessThan(deployment.spec.replicas);
    expect(service.spec.ports.map(({ targetPort }) => targetPort)).toEqual(['evm', 'solana']);
    for (const { host, http } of ingress.spec.rules) {
      const backends = http.paths.map(({ backend }) => backend.service);
      const [name] = host.split('.');
      expect(backends).toEqual([{ name: service.metadata.name, port: { name } }]);
    }
  });

  it('have Prometheus scrape the operations port, which no service publishes', () => {
    const ops = container.ports.find(({ name }) => name === 'ops')!;
    expect(pod.metadata.annotations['prometheus.io/port']).toBe(String(ops.containerPort));
    expect(readDeployed('kubernetes/service.yaml')).not.toContain('ops');
  });
});

function urlFor(name: string): string {
  return name.endsWith('_URL') ? 'https://node.example.com/' : 'value';
}
