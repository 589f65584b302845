import { Option, type Command } from 'commander';
import { seededRandom } from '../../common/make-value/make-value.ts';
import type { LoadedDocument, LoadOptions } from '../../generator/document.ts';
import { renderReport, reportFormats, type ReportFormat } from '../../generator/report/render.ts';
import { sortDiagnostics } from '../../generator/report/report.ts';
import { checkRules } from '../../generator/verify/checks.ts';
import { compareServers, renderMatrix } from '../../generator/verify/compare.ts';
import {
  readContract,
  type Contract,
  type ContractOptions,
} from '../../generator/verify/contract.ts';
import { fixturePhase } from '../../generator/verify/fixtures.ts';
import { renderVerifiedHtml } from '../../generator/verify/html.ts';
import type { Target } from '../../generator/verify/message.ts';
import {
  describeGroups,
  renderVerifiedText,
  toDiagnostics,
  type DescribedFailure,
  type Targets,
} from '../../generator/verify/report.ts';
import { phases, verify, type Verified } from '../../generator/verify/run.ts';
import { openHttp, openWebSocket } from '../../generator/verify/transport.ts';
import manifest from '../../package.json' with { type: 'json' };
import { openDocument } from './open-document.ts';
import {
  allowRemoteOption,
  lenientOption,
  outputOption,
  readHeader,
  readPath,
  readUrl,
  readUrls,
  wholeNumber,
  type Header,
  resolveOption,
} from './options.ts';
import {
  counted,
  createProgress,
  examples,
  exitCodes,
  misuse,
  toJsonText,
  warn,
  writeText,
} from './verb.ts';
import { readExpectedFailures, readFixtureFiles, readSeeds } from './verify-files.ts';

interface Options extends LoadOptions {
  readonly spec: string;
  readonly ws?: string;
  readonly header?: readonly Header[];
  readonly network?: string;
  readonly method?: readonly string[];
  readonly phase?: readonly string[];
  readonly examples?: ContractOptions['examples'];
  readonly writes?: true;
  readonly seed: string;
  readonly seeds?: string;
  readonly maxCalls: number;
  readonly rate?: number;
  readonly timeout: number;
  readonly maxLatency?: number;
  readonly failFast?: true;
  readonly format: Format;
  readonly output?: string;
  readonly skipCheck?: readonly string[];
  readonly expectedFailures?: string;
  readonly fixtures?: string;
  readonly compare?: readonly string[];
}

type Format = ReportFormat | 'html';

const MAX_CALLS = 2_000;
const TIMEOUT_MS = 10_000;
const MAX_NUMBER = 1_000_000_000;

/** `specgate verify`: checks a running server against its document. */
export function register(command: Command): void {
  const positive = wholeNumber(1, MAX_NUMBER);
  command
    .description(
      'Calls a running server and checks its responses against an OpenRPC document: results, errors\n' +
        'and the JSON-RPC protocol. Prints each kind of failure once, with a command that reproduces\n' +
        'it. Without --writes, calls only methods marked x-read-only: true; if the document marks none,\n' +
        'all except those marked x-read-only: false or x-idempotent: false. Exits with 1 on a failure.\n\n' +
        'Phases:\n' +
        [fixturePhase([]), ...phases]
          .map(({ id, title }) => `  ${id.padEnd(11)} ${title}`)
          .join('\n'),
    )
    .argument('<URL>', 'http, https, ws or wss URL of the server', readUrl)
    .option('--spec <document>', 'OpenRPC document: a path or a URL', 'openrpc.json')
    .option('--ws <url>', 'ws or wss URL of the same server', readUrl)
    .option(
      '--header <"Name: value">',
      'header to send with each call; may be repeated',
      readHeader,
    )
    .option('--network <name>', 'network of the server, if the document has several')
    .option('--method <name...>', 'methods to call; "eth_*" matches all that start with eth_')
    .addOption(
      new Option('--phase <id...>', 'phases to run (default: all)').choices([
        'fixtures',
        ...phases.map(({ id }) => id),
      ]),
    )
    .addOption(
      new Option(
        '--examples <match>',
        'whether results must equal those of examples or only match the schema (default: x-match in the document, otherwise exact)',
      ).choices(['exact', 'schema']),
    )
    .addOption(
      new Option('--skip-check <id...>', 'checks to skip').choices(checkRules.map(({ id }) => id)),
    )
    .option('--writes', 'also call methods that are not marked as read-only')
    .option(
      '--seed <text>',
      'seed for random values; the same seed sends the same calls',
      'specgate',
    )
    .option('--seeds <file>', 'JSON file of values for params, by component schema', readPath)
    .option('--max-calls <n>', 'maximum number of calls', positive, MAX_CALLS)
    .option('--rate <n>', 'maximum number of calls per second', positive)
    .option('--timeout <ms>', 'maximum time to wait for a response', positive, TIMEOUT_MS)
    .option('--max-latency <ms>', 'report responses that take longer than this', positive)
    .option('--fail-fast', 'stop at the first failure')
    .option('--expected-failures <file>', 'JSON file of known failures with reasons', readPath)
    .option('--fixtures <dir>', 'also send the requests recorded in .io files', readPath)
    .option(
      '--compare <url...>',
      'compare the responses of the server with those of other servers',
      readUrls,
    )
    .addOption(allowRemoteOption)
    .addOption(resolveOption)
    .addOption(lenientOption)
    .addOption(
      new Option('-f, --format <format>', 'output format')
        .choices([...reportFormats, 'html'])
        .default('text'),
    )
    .addOption(outputOption)
    .addHelpText(
      'after',
      examples(
        'verify http://127.0.0.1:8545/v3/demo --ws ws://127.0.0.1:8545/ws/v3/demo --network evm',
        'verify https://node.example.org --spec openrpc.yaml --examples schema --rate 20',
        'verify http://127.0.0.1:3030 --format junit --output verify.xml',
        'verify http://127.0.0.1:8545 --compare http://127.0.0.1:8546',
      ),
    )
    .action(run);
}

async function run(url: string, options: Options): Promise<void> {
  const targets = targetsOf(url, options);
  const loaded = await openDocument(options.spec, options);
  const { network, writes = false, method: methods } = options;
  const contract = readContract(loaded.model, {
    network,
    writes,
    methods,
    examples: options.examples,
  });
  if (contract.methods.length === 0) {
    throw misuse('no method matches the options', 'check --method, --network and --writes');
  }
  if (options.compare !== undefined) return compare([url, ...options.compare], contract, options);
  const expected = await readExpectedFailures(options.expectedFailures);
  const progress = createProgress();
  const verified = await verify(contract, {
    ...targets,
    phases: options.phase,
    maxCalls: options.maxCalls,
    rate: options.rate,
    timeout_ms: options.timeout,
    maxLatency_ms: options.maxLatency,
    failFast: options.failFast ?? false,
    skippedChecks: options.skipCheck,
    seed: options.seed,
    expected,
    seeds: options.seeds === undefined ? {} : await readSeeds(options.seeds),
    fixtures: options.fixtures === undefined ? [] : await readFixtureFiles(options.fixtures),
    onPhase: ({ id }) => progress.step(id),
  });
  progress.end();
  const unexpected = verified.groups.filter((group) => group.expected === null);
  const passed = expected.filter((entry) =>
    verified.groups.every((group) => group.expected !== entry),
  );
  const known = expected.length - passed.length;
  const { title, version } = loaded.model.info;
  const seen = { ...options, url, title: `${title} ${version}`, contract };
  const described = { unexpected: describeGroups(unexpected, targets), known };
  await writeText(render(verified, described, { ...seen, loaded }), options.output);
  for (const { method, check, params } of passed) {
    const call = params === undefined ? '' : ` ${JSON.stringify(params)}`;
    warn(
      `${method ?? 'JSON-RPC'} ${check}${call}: expected to fail, but passed; remove it from the file of expected failures`,
    );
  }
  if (unexpected.length + passed.length > 0) process.exitCode = exitCodes.findings;
}

interface Seen extends Options {
  readonly url: string;
  /** Title and version of the document. */
  readonly title: string;
  readonly loaded: LoadedDocument;
  readonly contract: Contract;
}

interface Described {
  readonly unexpected: readonly DescribedFailure[];
  /** Number of expected failures that occurred. */
  readonly known: number;
}

function render(verified: Verified, { unexpected, known }: Described, seen: Seen): string {
  const { format, spec, loaded } = seen;
  const note = known === 0 ? '' : `${counted(known, 'expected failure')}\n`;
  if (format === 'text') return renderVerifiedText(verified, unexpected, seen) + note;
  if (format === 'html') return renderVerifiedHtml(verified, unexpected, seen);
  if (format === 'json') return toJsonText(toJson(verified, unexpected, seen));
  const report = {
    verb: 'verify',
    version: manifest.version,
    files: [spec],
    rules: checkRules,
    diagnostics: sortDiagnostics(toDiagnostics(unexpected, loaded)),
    texts: new Map(),
    root: process.cwd(),
  };
  return renderReport(report, format);
}

/** Sends the same calls to several servers and prints how their responses differ. */
async function compare(
  urls: readonly string[],
  contract: Contract,
  { header, maxCalls, rate, timeout, seed, format, output }: Options,
): Promise<void> {
  const servers = urls.map((url) => {
    const target = { url, headers: Object.fromEntries(header ?? []) };
    const open = /^wss?:/.test(url) ? openWebSocket : openHttp;
    return { url, channel: open({ target, timeout_ms: timeout }) };
  });
  const interval_ms = rate === undefined ? 0 : 1_000 / rate;
  const budget = { contract, maxCalls, interval_ms, random: seededRandom(seed) };
  const compared = await compareServers(servers, budget).finally(() =>
    Promise.all(servers.map(({ channel }) => channel.close())),
  );
  const text = format === 'json' ? toJsonText(compared) : renderMatrix(urls, compared);
  await writeText(text, output);
  const isEqual = compared.every(({ servers: all }) =>
    all.every(({ disagreement }) => disagreement === null),
  );
  if (!isEqual) process.exitCode = exitCodes.findings;
}

function toJson(
  { coverage, phases: ran, calls, ended }: Verified,
  failures: readonly DescribedFailure[],
  { url, spec, title, seed, contract: { skipped, contradictions } }: Seen,
): object {
  const clean = failures.length === 0;
  return {
    clean,
    url,
    document: spec,
    title,
    seed,
    calls,
    ended,
    phases: ran,
    failures,
    coverage,
    notCalled: { methods: skipped, examples: contradictions },
  };
}

function targetsOf(url: string, { ws, header = [] }: Options): Targets {
  const headers = Object.fromEntries(header);
  const isWebSocket = /^wss?:/.test(url);
  if (ws !== undefined && !/^wss?:/.test(ws)) {
    throw misuse(`expected a URL that starts with ws or wss, got ${ws}`, 'correct --ws');
  }
  const webSocket = ws ?? (isWebSocket ? url : undefined);
  return {
    ...(isWebSocket ? {} : { http: { url, headers } satisfies Target }),
    ...(webSocket === undefined ? {} : { webSocket: { url: webSocket, headers } }),
  };
}
