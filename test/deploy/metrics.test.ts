import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../src/ops/metrics.ts';
import { parseDeployed, readDeployed } from './support.ts';

interface Dashboard {
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

const dashboard = JSON.parse(readDeployed('grafana/specgate.json')) as Dashboard;
const [alerts] = parseDeployed('prometheus/alerts.yml') as [
  { groups: { rules: { alert: string; expr: string }[] }[] },
];
const [scrape] = parseDeployed('prometheus/prometheus.yml') as [
  { rule_files: string[]; scrape_configs: { job_name: string }[] },
];

const queries = [
  ...dashboard.panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => ({ where: `panel ${title}`, expr })),
  ),
  ...alerts.groups.flatMap(({ rules }) =>
    rules.map(({ alert, expr }) => ({ where: `alert ${alert}`, expr })),
  ),
];

/** Names of the metrics a gateway exposes; a histogram's `_bucket`, `_sum` and `_count` among them. */
async function exposedNames(): Promise<Set<string>> {
  const { text } = await createMetrics().render();
  const names = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => name! + suffix) : [name!],
  );
  // `up` is Prometheus' own.
  return new Set([...names, 'up']);
}

describe('the dashboard and the alerts', () => {
  it.each(queries)('$where queries metrics that exist', async ({ expr }) => {
    const known = await exposedNames();
    const asked = expr.match(/\b(?:up\b|(?:specgate|process|nodejs)_\w+)/g) ?? [];
    expect(asked).not.toEqual([]);
    for (const name of asked) expect(known).toContain(name);
  });

  it('the dashboard shows every metric of the gateway', () => {
    const shown = dashboard.panels
      .flatMap(({ targets }) => targets.map(({ expr }) => expr))
      .join(' ');
    const hidden = createMetrics()
      .described.map(({ name }) => name)
      .filter((name) => !new RegExp(`\\b${name}(?:_bucket)?\\b`).test(shown));
    expect(hidden).toEqual([]);
  });

  it('uses only labels that the metrics have', () => {
    const labels = new Set(createMetrics().described.flatMap(({ labelNames }) => labelNames));
    const known = new Set([...labels, 'le', 'job', 'instance']);
    for (const { where, expr } of queries) {
      const by = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names]) =>
        names!.split(/, */),
      );
      const matched = [...expr.matchAll(/[{,](\w+)(?:=|!=|=~|!~)"/g)].map(([, name]) => name!);
      for (const name of [...by, ...matched])
        expect({ where, name, isKnown: known.has(name) }).toEqual({ where, name, isKnown: true });
    }
  });

  it('panels have unique ids', () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('jobs that are queried are scraped', () => {
    const jobs = queries.flatMap(({ expr }) =>
      [...expr.matchAll(/job="(\w+)"/g)].map(([, job]) => job),
    );
    const scraped = scrape.scrape_configs.map(({ job_name }) => job_name);
    expect(scraped).toEqual([...new Set(jobs)]);
    expect(scrape.rule_files).toEqual(['alerts.yml']);
  });
});
