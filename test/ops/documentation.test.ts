import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createMetrics } from '../../src/ops/metrics.ts';

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}

const page = read('docs-site/content/operations/observability.md');

/** Rows of the page's tables, by their cells. */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) => line.split('|').slice(1, -1))
  .map((cells) => cells.map((cell) => cell.trim()));

describe('the page on observability', () => {
  it('lists the metrics there are, with their kinds, labels and help texts', () => {
    const listed = rows.filter(([name]) => /^`specgate_\w+`$/.test(name!));
    const there = createMetrics().described.map(({ name, type, labelNames, help }) => [
      `\`${name}\``,
      type,
      labelNames.map((label) => `\`${label}\``).join(', '),
      help,
    ]);
    expect(listed).toEqual(there);
  });

  it('lists the alerts there are, with their levels', () => {
    const { groups } = parse(read('deploy/prometheus/alerts.yml')) as {
      groups: { rules: { alert: string; labels: { severity: string } }[] }[];
    };
    const there = groups.flatMap(({ rules }) =>
      rules.map(({ alert, labels }) => [`\`${alert}\``, labels.severity]),
    );
    const listed = rows.filter(([name]) => /^`Specgate\w+`$/.test(name!));
    expect(listed.map(([name, level]) => [name, level])).toEqual(there);
  });

  it('quotes the log lines as they are written', () => {
    const lines = rows.filter(([level]) => /^(?:debug|info|warn|error)$/.test(level!));
    const source = [
      'config-swap',
      'lifecycle',
      'logger',
      'network-service',
      'account-store',
      'reload',
      'workers/worker-pool',
    ]
      .map((file) => read(`src/main/${file}.ts`))
      .join('\n');
    expect(lines.length).toBeGreaterThan(10);
    for (const [level, line] of lines) {
      const [, message] = /^`([^`]+)`/.exec(line!)!;
      const call = new RegExp(`logger\\.${level}\\((?:[^;]*?)'${message}'`, 's');
      expect({ message, isWritten: call.test(source) }).toEqual({ message, isWritten: true });
    }
  });

  it('quotes the attributes of spans as they are recorded', () => {
    const source = read('src/tracing/open-tracing.ts');
    const attributes = rows.flatMap(([cell]) =>
      [...cell!.matchAll(/`((?:rpc|specgate|error)\.[\w.]+)`/g)].map(([, name]) => name!),
    );
    const recorded = new Set(source.match(/'(?:rpc|specgate|error)\.[\w.]+'/g));
    expect(new Set(attributes.map((name) => `'${name}'`))).toEqual(recorded);
  });
});
