import { kindGroups } from '../../../generator/diff/kinds/index.ts';
import type { Kind } from '../../../generator/diff/kinds/kind.ts';
import { policy } from './policy.ts';
import type { KindTally } from './tally.ts';

interface Run {
  readonly command: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  /** Names of the documents, with their versions. */
  readonly documents: readonly string[];
}

/** The self-test of diff as a page (Markdown with front matter). */
export function renderSelfTestPage(tallies: readonly KindTally[], run: Run): string {
  const total = (count: (tally: KindTally) => number) =>
    tallies.reduce((sum, tally) => sum + count(tally), 0);
  const groups = kindGroups.flatMap(({ title, kinds }) => [
    '',
    `## ${title}`,
    '',
    '| kind | wire | source | breaks callers | breaks generated code | reported as |',
    '| --- | --- | --- | --- | --- | --- |',
    ...kinds.map((kind) => rowOf(tallies.find((tally) => tally.kind === kind)!)),
  ]);
  const used = Object.entries(policy).map(([id, reason]) => `- \`${id}\`: ${reason}`);
  const undecided = total(({ reported }) => reported.undecided);
  return [
    '---',
    'title: Self-test of diff',
    'summary: Every kind of change made in real documents, with a proof of what it breaks and what diff reports.',
    'order: 42',
    '---',
    '',
    `\`${run.command}\` prints this page. Run on ${run.date} with ${run.documents.join(', ')}.`,
    '',
    `It makes ${total(({ applied }) => applied).toLocaleString('en')} changes: each of the ${tallies.length} [kinds](diff-changes.md) in each document, of which ten methods are chosen at random, at the root of a schema and within another one. The columns:`,
    '',
    '- **wire**, **source**: the severity of the kind with each `--strictness`.',
    '- **breaks callers**: for how many of the changes a call that the older document accepts is rejected by the newer one, or the newer one allows a result that the older one does not. Random calls and results are searched, and Ajv validates them. A dash, or none for an error: no call or value can show the change, such as that of a price; its severity follows from its meaning.',
    '- **breaks generated code**: for how many documents a program no longer compiles. It is written for the older document (it passes what the older types allow, makes valid calls with literals, reads every member of the result, imports the names of schemas and errors), and `tsc --strict` compiles it against the TypeScript types that Specgate generates from the newer one. Types do not express most constraints, such as patterns and bounds, so many changes that break calls compile.',
    '- **reported as**: how often the kind was reported, by severity; undecided comparisons are counted apart.',
    '',
    `${undecided} of the changes were undecided. Of the kinds below error, only these can break a caller; policy makes them a warning or a note:`,
    '',
    ...used,
    ...groups,
  ].join('\n');
}

function rowOf(tally: KindTally): string {
  const { kind, breaksCallers, provable, breaksCode, compiled, reported } = tally;
  const reason = policy[kind.id] === undefined ? '' : ' (policy)';
  const cells = [
    linkOf(kind),
    kind.levels.wire,
    kind.levels.source,
    provable === 0 ? '–' : `${breaksCallers} of ${provable}${reason}`,
    `${breaksCode} of ${compiled}`,
    Object.entries(reported)
      .filter(([, count]) => count > 0)
      .map(([outcome, count]) => `${outcome} ${count}`)
      .join(', '),
  ];
  return `| ${cells.join(' | ')} |`;
}

function linkOf({ id }: Kind): string {
  return `[\`${id}\`](diff-changes.md#${id})`;
}
