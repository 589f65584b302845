import { readFile } from 'node:fs/promises';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { isObject, type Json } from '../../common/json/value.ts';
import type { LoadOptions } from '../../generator/document.ts';
import { renderReport, reportFormats, type ReportFormat } from '../../generator/report/render.ts';
import { sortDiagnostics } from '../../generator/report/report.ts';
import { checkRules } from '../../generator/verify/checks.ts';
import { readContract, type ContractOptions } from '../../generator/verify/contract.ts';
import type { Target } from '../../generator/verify/message.ts';
import {
  describeGroups,
  renderVerifiedText,
  toDiagnostics,
  type DescribedFailure,
  type Targets,
} from '../../generator/verify/report.ts';
import { phases, verify, type Verified } from '../../generator/verify/run.ts';
import manifest from '../../package.json' with { type: 'json' };
import { openDocument } from './open-document.ts';
import {
  allowRemoteOption,
  allowUnresolvedOption,
  outputOption,
  readHeader,
  readPath,
  wholeNumber,
  type Header,
} from './options.ts';
import { createProgress, examples, exitCodes, misuse, toJsonText, writeText } from './verb.ts';

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
}

type Format = Exclude<ReportFormat, 'text' | 'json'> | 'text' | 'json';

const MAX_CALLS = 2_000;
const TIMEOUT_MS = 10_000;
const MAX_NUMBER = 1_000_000_000;

/** `specgate verify`: proves from outside that a server keeps its document. */
export function register(command: Command): void {
  const positive = wholeNumber(1, MAX_NUMBER);
  command
    .description(
      'Calls a running server and checks that its answers are those that an OpenRPC document\n' +
        'promises: results, errors, JSON-RPC itself. Each failure is printed with a command that\n' +
        'reproduces it. Methods that are not marked as read-only are not called.\n' +
        'Exits with 1 if the server and the document disagree.\n\n' +
        'Phases:\n' +
        phases.map(({ id, title }) => `  ${id.padEnd(11)} ${title}`).join('\n'),
    )
    .argument('<URL>', 'address of the server: http, https, ws or wss', readUrl)
    .option('--spec <document>', 'OpenRPC document: a path or a URL', 'openrpc.json')
    .option('--ws <url>', 'address of the same server over WebSocket', readUrl)
    .option(
      '--header <"Name: value">',
      'header to send with each call; may be repeated',
      readHeader,
    )
    .option('--network <name>', 'network that the server is, where the document has several')
    .option('--method <name...>', 'methods to call; "eth_*" stands for all that start with eth_')
    .addOption(
      new Option('--phase <id...>', 'phases to run (default: all)').choices(
        phases.map(({ id }) => id),
      ),
    )
    .addOption(
      new Option(
        '--examples <match>',
        'whether answers equal those of examples or only match the schema',
      )
        .choices(['exact', 'schema'])
        .default(undefined, 'as the document says, or exact'),
    )
    .option('--writes', 'also call methods that are not marked as read-only')
    .option('--seed <text>', 'seed of random values; equal seeds send equal calls', 'specgate')
    .option('--seeds <file>', 'JSON file of values to use, by component schema', readPath)
    .option('--max-calls <n>', 'maximum number of calls', positive, MAX_CALLS)
    .option('--rate <n>', 'maximum number of calls per second', positive)
    .option('--timeout <ms>', 'maximum time for an answer', positive, TIMEOUT_MS)
    .option('--max-latency <ms>', 'report answers that take longer', positive)
    .option('--fail-fast', 'stop at the first failure')
    .addOption(allowRemoteOption)
    .addOption(allowUnresolvedOption)
    .addOption(
      new Option('-f, --format <format>', 'output format').choices(reportFormats).default('text'),
    )
    .addOption(outputOption)
    .addHelpText(
      'after',
      examples(
        'verify http://127.0.0.1:8545/v3/demo --ws ws://127.0.0.1:8545/ws/v3/demo --network evm',
        'verify https://node.example.org --spec openrpc.yaml --examples schema --rate 20',
        'verify http://127.0.0.1:3030 --format junit --output verify.xml',
      ),
    )
    .action(run);
}

function readUrl(text: string): string {
  if (URL.canParse(text) && /^(?:https?|wss?):/.test(text)) return text;
  throw new InvalidArgumentError('Expected a URL that starts with http, https, ws or wss.');
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
    throw misuse('no method to call', 'check --method, --network and --writes');
  }
  const progress = createProgress();
  const verified = await verify(contract, {
    ...targets,
    phases: options.phase,
    maxCalls: options.maxCalls,
    rate: options.rate,
    timeout_ms: options.timeout,
    maxLatency_ms: options.maxLatency,
    failFast: options.failFast ?? false,
    seed: options.seed,
    seeds: options.seeds === undefined ? {} : await readSeeds(options.seeds),
    onPhase: ({ id }) => progress.step(id),
  });
  progress.end();
  const groups = describeGroups(verified, targets);
  const { title, version } = loaded.model.info;
  const seen = { ...options, url, title: `${title} ${version}` };
  const text =
    options.format === 'text'
      ? renderVerifiedText(verified, groups, seen)
      : options.format === 'json'
        ? toJsonText(toJson(verified, groups, seen))
        : renderReport(
            {
              verb: 'verify',
              version: manifest.version,
              files: [options.spec],
              rules: checkRules,
              diagnostics: sortDiagnostics(toDiagnostics(groups, loaded)),
              texts: new Map(),
              root: process.cwd(),
            },
            options.format,
          );
  await writeText(text, options.output);
  if (groups.length > 0) process.exitCode = exitCodes.findings;
}

function toJson(
  { coverage, phases: ran, calls, ended }: Verified,
  failures: readonly DescribedFailure[],
  { url, spec, title, seed }: Options & { readonly url: string; readonly title: string },
): object {
  const clean = failures.length === 0;
  return { clean, url, document: spec, title, seed, calls, ended, phases: ran, failures, coverage };
}

function targetsOf(url: string, { ws, header = [] }: Options): Targets {
  const headers = Object.fromEntries(header);
  const isWebSocket = /^wss?:/.test(url);
  if (ws !== undefined && !/^wss?:/.test(ws)) {
    throw misuse(`expected an address that starts with ws or wss, got ${ws}`, 'correct --ws');
  }
  const webSocket = ws ?? (isWebSocket ? url : undefined);
  return {
    ...(isWebSocket ? {} : { http: { url, headers } satisfies Target }),
    ...(webSocket === undefined ? {} : { webSocket: { url: webSocket, headers } }),
  };
}

async function readSeeds(file: string): Promise<Readonly<Record<string, readonly Json[]>>> {
  const problem = misuse(
    `${file} is not a file of seeds`,
    'write an object of lists of values, by component schema: {"Hash32": ["0x…"]}',
  );
  let seeds: unknown;
  try {
    seeds = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw problem;
    throw error;
  }
  const isSeeds = isObject(seeds) && Object.values(seeds).every((values) => Array.isArray(values));
  if (!isSeeds) throw problem;
  return seeds as Readonly<Record<string, readonly Json[]>>;
}
