import { outcomes, type PairResult } from './evaluate.ts';

const FIGURES = ['errors', 'warnings', 'undecided', 'wrong'] as const;

/** A row of Markdown for each document, and one for all of them. */
export function renderHistories(results: readonly PairResult[]): string {
  const documents = [...new Set(results.map(({ document }) => document))];
  const rows = documents.map((name) =>
    rowOf(
      name,
      results.filter(({ document }) => document === name),
    ),
  );
  const head = [
    'document | pairs | proven breaks | error, % | policy, % | undecided, % | not reported, %',
    'errors | warnings | undecided | wrong | ms per pair | MB per pair',
  ].join(' | ');
  return [`| ${head} |`, `| --- |${' --: |'.repeat(12)}`, ...rows, rowOf('all', results)].join(
    '\n',
  );
}

function rowOf(name: string, results: readonly PairResult[]): string {
  const total = (count: (result: PairResult) => number) =>
    results.reduce((sum, result) => sum + count(result), 0);
  const proven = total(({ breaks }) => outcomes.reduce((sum, each) => sum + breaks[each], 0));
  const shares = outcomes.map((outcome) => {
    const count = total(({ breaks }) => breaks[outcome]);
    return proven === 0 ? '–' : ((100 * count) / proven).toFixed(1);
  });
  const figures = FIGURES.map((figure) => total((result) => result[figure]));
  const greatest = (figure: 'milliseconds' | 'megabytes') =>
    Math.round(Math.max(...results.map((result) => result[figure])));
  const cost = [greatest('milliseconds'), greatest('megabytes')].map((each) => `≤ ${each}`);
  return `| ${[name, results.length, proven, ...shares, ...figures, ...cost].join(' | ')} |`;
}
