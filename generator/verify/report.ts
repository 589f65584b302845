import type { Diagnostic } from '../../common/diagnostic.ts';
import { onOneLine, visibleAtStart } from '../../common/escape/text.ts';
import { shellWord } from '../../common/escape/shell.ts';
import type { LoadedDocument } from '../document.ts';
import type { Contract } from './contract.ts';
import type { Probe, Target } from './message.ts';
import type { Verified } from './run.ts';
import { MAX_ANSWER, type Failure } from './session.ts';

/** Failures of one check of one method. */
export interface DescribedFailure {
  readonly check: string;
  /** Null for messages that call no method. */
  readonly method: string | null;
  readonly message: string;
  readonly count: number;
  readonly transports: readonly string[];
  readonly phase: string;
  readonly title: string;
  /** Pointer to the promise in the document that is broken. */
  readonly pointer: string;
  readonly request: string;
  /** What the server returned, cut if it is long. */
  readonly response: string;
  /** Command that sends the request again. */
  readonly command: string;
}

/** The addresses of the server. */
export interface Targets {
  readonly http?: Target | undefined;
  readonly webSocket?: Target | undefined;
}

export function describeGroups(
  groups: Verified['groups'],
  targets: Targets,
): readonly DescribedFailure[] {
  return groups.map(({ failure, count, transports }) => {
    const { check, message, phase, probe, answer } = failure;
    return {
      check,
      method: probe.method?.name ?? null,
      message,
      count,
      transports,
      phase,
      title: probe.title,
      pointer: probe.pointer,
      request: bodyText(probe),
      response: answer.failure ?? answer.texts.join('\n').slice(0, MAX_ANSWER),
      command: commandOf(failure, targets),
    };
  });
}

function bodyText({ body }: Probe): string {
  return typeof body === 'string' ? body : Buffer.from(body).toString();
}

/** Returns the command that sends the request of a failure again. */
function commandOf({ probe, answer }: Failure, { http, webSocket }: Targets): string {
  const { body } = probe;
  const isHttp = answer.transport === 'http';
  const target = probe.target ?? (isHttp ? http : webSocket);
  const url = shellWord(target?.url ?? '');
  const headers = Object.entries(target?.headers ?? {}).map(
    ([name, value]) => ` -H ${shellWord(`${name}: ${value}`)}`,
  );
  if (!isHttp)
    return `npx wscat -c ${url}${headers.join('')} -w 2 -x ${shellWord(bodyText(probe))}`;
  const curl = `curl -s ${url} -H 'Content-Type: application/json'${headers.join('')}`;
  if (typeof body === 'string') return `${curl} --data-binary ${shellWord(body)}`;
  return `echo ${Buffer.from(body).toString('base64')} | base64 -d | ${curl} --data-binary @-`;
}

/** Converts groups to diagnostics, located at the promises that they break in the document. */
export function toDiagnostics(
  groups: readonly DescribedFailure[],
  { locate }: Pick<LoadedDocument, 'locate'>,
): readonly Diagnostic[] {
  return groups.map((group) => ({
    code: group.check,
    severity: 'error',
    message: `${group.method ?? 'JSON-RPC'}: ${group.message}`,
    fix: `reproduce it with: ${group.command}`,
    location: locate(group.pointer),
  }));
}

interface TextOptions {
  readonly contract: Pick<Contract, 'skipped' | 'contradictions'>;
  readonly title: string;
  readonly seed: string;
}

/** Maximum number of holes of a kind in the text. */
const MAX_HOLES = 8;

/**
 * Renders a report for a terminal: each failure with its command, then phases, coverage and a summary.
 */
export function renderVerifiedText(
  { phases, coverage, calls, ended }: Verified,
  groups: readonly DescribedFailure[],
  { title, seed, contract }: TextOptions,
): string {
  const failures = groups.map(describeFailure);
  const ran = phases.map(
    ({ id, calls: sent, failures: count }) =>
      `  ${id.padEnd(11)} ${String(sent).padStart(6)} ${(sent === 1 ? 'call' : 'calls').padEnd(5)}  ${count === 0 ? 'ok' : `${count} failed`}`,
  );
  const covered = coverage
    .filter(({ total }) => total > 0)
    .flatMap(({ kind, covered: count, total, holes }) => [
      `  ${`${kind}s`.padEnd(15)} ${count} of ${total}`,
      ...(holes.length === 0 ? [] : [`    not covered: ${listHoles(holes)}`]),
    ]);
  return [
    ...failures,
    visibleAtStart(title),
    ...ran,
    'coverage',
    ...covered,
    ...describeSkipped(contract),
    ...(ended === null ? [] : [ended]),
    `${countKinds(groups)} in ${calls} ${calls === 1 ? 'call' : 'calls'} (seed ${onOneLine(seed)})`,
    '',
  ].join('\n');
}

/** Returns "no failures" or "2 kinds of failure". */
export function countKinds({ length }: readonly DescribedFailure[]): string {
  return length === 0 ? 'no failures' : `${length} ${length === 1 ? 'kind' : 'kinds'} of failure`;
}

/** Returns a line for each reason why methods or examples are not called. */
function describeSkipped({ skipped, contradictions }: TextOptions['contract']): readonly string[] {
  const byReason = Map.groupBy(skipped, ({ reason }) => reason);
  return [
    ...[...byReason].map(
      ([reason, methods]) =>
        `not called: ${listHoles(methods.map(({ name }) => name))} (${reason})`,
    ),
    ...(contradictions.length === 0
      ? []
      : [
          `not called: ${listHoles(contradictions)} (not valid for the schemas; run specgate lint)`,
        ]),
  ];
}

function describeFailure(group: DescribedFailure): string {
  const { check, method, message, count, transports, title, command } = group;
  const times = count === 1 ? '' : ` (${count} calls)`;
  return [
    `${visibleAtStart(method ?? 'JSON-RPC')}  ${check}${times}`,
    `  ${onOneLine(message)}`,
    `  ${onOneLine(title)}, over ${transports.join(' and ')}`,
    `  ${onOneLine(command)}`,
    '',
  ].join('\n');
}

function listHoles(holes: readonly string[]): string {
  const shown = holes.slice(0, MAX_HOLES).map(onOneLine).join(', ');
  return holes.length <= MAX_HOLES ? shown : `${shown}, and ${holes.length - MAX_HOLES} more`;
}
