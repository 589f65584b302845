import { printMember } from '../../common/json/exact.ts';
import { onOneLine, visibleAtStart } from '../../common/escape/text.ts';
import type { Contract } from './contract.ts';
import { findDifference } from './difference.ts';
import { codeOf } from './error-catalog.ts';
import { callProbe, canonicalText, type Probe } from './message.ts';
import { baseParams } from './params.ts';
import { Session } from './session.ts';
import type { Channel } from './transport.ts';
import { variantsOf } from './variants.ts';

export interface ComparedServer {
  readonly url: string;
  readonly channel: Channel;
}

/** How the responses of servers to the calls of a method compare with those of the first. */
export interface ComparedMethod {
  readonly method: string;
  readonly calls: number;
  /** For each other server, the number of equal responses and the smallest call that differs. */
  readonly servers: readonly {
    readonly url: string;
    readonly equal: number;
    readonly disagreement: { readonly request: string; readonly message: string } | null;
  }[];
}

interface CompareOptions {
  readonly contract: Contract;
  readonly maxCalls: number;
  readonly interval_ms: number;
  readonly random: () => number;
}

/** Sends the same calls to several servers; the budget applies to each of them. */
export async function compareServers(
  servers: readonly ComparedServer[],
  { contract, ...budget }: CompareOptions,
): Promise<readonly ComparedMethod[]> {
  const sessions = servers.map(
    ({ channel }) =>
      new Session({
        ...budget,
        contract,
        channels: [channel],
        targets: {},
        maxLatency_ms: Infinity,
        failFast: false,
        // This check would also call the method that returns the finalized block.
        skippedChecks: new Set(['immutable-result']),
      }),
  );
  const share = Math.floor(budget.maxCalls / contract.methods.length);
  const compared: ComparedMethod[] = [];
  for (const method of contract.methods) {
    const probes = probesOf(sessions[0]!, method, share);
    const answers: (string | undefined)[][] = [];
    for (const probe of probes) {
      answers.push(
        await Promise.all(
          sessions.map((session, index) => askOne(session, probe, servers[index]!)),
        ),
      );
    }
    compared.push({
      method: method.name,
      calls: probes.length,
      servers: servers.slice(1).map(({ url }, index) => {
        const differing = probes.filter((_, call) => {
          const [first, other] = [answers[call]![0], answers[call]![index + 1]];
          return first !== other;
        });
        const [smallest] = differing.toSorted((a, b) => a.body.length - b.body.length);
        const at = smallest === undefined ? [] : answers[probes.indexOf(smallest)]!;
        return {
          url,
          equal: probes.length - differing.length,
          disagreement:
            smallest === undefined
              ? null
              : { request: String(smallest.body), message: describe(at[0], at[index + 1]) },
        };
      }),
    });
  }
  return compared;
}

/** Returns calls with the params of examples, then with those of the constraints. */
function probesOf(
  session: Session,
  method: Contract['methods'][number],
  count: number,
): readonly Probe[] {
  const { contract, seeds } = session;
  const base = baseParams(method, seeds);
  const all = function* () {
    for (const { params, name } of method.examples) yield { params, title: `example "${name}"` };
    if (base !== undefined) yield* variantsOf(contract, method, { base, seeds });
  };
  const probes = new Map<Probe['body'], Probe>();
  // There may be far more variants than are sent.
  for (const { params, title } of all()) {
    if (probes.size >= count) break;
    const probe = callProbe(method, params, { title, id: '1' });
    probes.set(probe.body, probe);
  }
  return [...probes.values()];
}

/** Returns a text that is equal for equal responses; of an error, only the code counts. */
async function askOne(
  session: Session,
  probe: Probe,
  { channel }: ComparedServer,
): Promise<string | undefined> {
  const { response } = await session.ask(probe, channel.name);
  if (response === undefined) return undefined;
  const code = codeOf(response);
  if (code !== undefined) return `{"error":${code}}`;
  return 'result' in response
    ? `{"result":${canonicalText(printMember(response, 'result'))}}`
    : undefined;
}

function describe(first: string | undefined, other: string | undefined): string {
  if (first === undefined || other === undefined)
    return 'one of the servers returned no valid response';
  const [a, b] = [JSON.parse(first) as object, JSON.parse(other) as object];
  const key = Object.keys(a)[0]!;
  return findDifference(a, b, key, { isExact: true }) ?? 'the responses differ';
}

/** Returns the matrix as text: a row for each method, a column for each server but the first. */
export function renderMatrix(urls: readonly string[], compared: readonly ComparedMethod[]): string {
  const shown = compared.map((each) => ({ ...each, method: visibleAtStart(each.method) }));
  const width = Math.max(6, ...shown.map(({ method }) => method.length));
  const names = urls.slice(1).map((_, index) => `server ${index + 2}`);
  const rows = shown.map(({ method, calls, servers }) =>
    [method.padEnd(width), ...servers.map(({ equal }) => `${equal}/${calls}`.padStart(10))].join(
      ' ',
    ),
  );
  const differences = shown.flatMap(({ method, servers }) =>
    servers.flatMap(({ disagreement }, index) =>
      disagreement === null
        ? []
        : [
            `${method}, ${names[index]}: ${onOneLine(disagreement.message)}\n  ${onOneLine(disagreement.request)}`,
          ],
    ),
  );
  const list = urls.map((url, index) => `server ${index + 1}: ${onOneLine(url)}`);
  const head = ['method'.padEnd(width), ...names.map((name) => name.padStart(10))].join(' ');
  return [...list, '', head, ...rows, '', ...differences, ''].join('\n');
}
