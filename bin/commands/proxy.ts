import { writeFile } from 'node:fs/promises';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { onOneLine, visible } from '../../common/escape/text.ts';
import { runProxy, type RunningProxy } from '../../src/main/proxy.ts';
import type { SeenViolation, ViolationReport } from '../../src/proxy/violation-log.ts';
import { describeService } from './describe-service.ts';
import { allowRemoteOption, allowUnresolvedOption } from './document-arguments.ts';
import { formatOption, type OutputFormat } from './output-format.ts';
import { openDocument } from './render-job.ts';
import { addressOptions, runService } from './run-service.ts';
import { exitCodes } from './verb.ts';

interface Options {
  readonly spec: string;
  readonly upstream: URL;
  readonly header?: readonly (readonly [name: string, value: string])[];
  readonly fail: boolean;
  readonly report?: string;
  readonly port: number;
  readonly host: string;
  readonly allowUnresolved?: boolean;
  readonly allowRemote?: boolean;
  readonly format: OutputFormat;
}

const PORT = 3031;

/** `specgate proxy`: checks the traffic of a running server against a document. */
export function register(program: Command): void {
  const command = program
    .command('proxy')
    .summary('forward calls to a server and report contract violations')
    .description(
      'Forwards calls to a JSON-RPC server and checks requests and responses against an OpenRPC\n' +
        'document. Prints each kind of violation when it is first seen, by method, side and place.\n' +
        'SIGTERM or Ctrl-C stops the proxy, which then prints how often each kind was seen and exits\n' +
        'with 1 if there were any.',
    )
    .requiredOption('-s, --spec <spec>', 'OpenRPC document: a path, a URL, or - for standard input')
    .addOption(
      new Option('-u, --upstream <url>', 'http, https, ws or wss URL of the server')
        .argParser(readUpstream)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '-H, --header <header...>',
        'header to send to the server, as "Name: value"',
      ).argParser(readHeader),
    )
    .option('--fail', 'answer contract violations with an error instead of forwarding them', false)
    .option('--report <file>', 'also write the report to a file, as JSON')
    .addOption(allowRemoteOption())
    .addOption(allowUnresolvedOption())
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ specgate proxy --spec openrpc.json --upstream http://127.0.0.1:8545\n' +
        '  $ specgate proxy -s openrpc.json -u wss://example.org/ws -H "Authorization: Bearer $TOKEN" --fail',
    )
    .action(proxy);
  for (const option of addressOptions(PORT)) command.addOption(option);
}

function proxy({ spec, upstream, header = [], fail, report, ...options }: Options): Promise<void> {
  const { port, host, format, allowUnresolved = false, allowRemote = false } = options;
  let running: RunningProxy | undefined;
  return runService(async () => {
    const { model } = await openDocument(spec, { allowUnresolved, allowRemote });
    // Fails now if the file cannot be written, not after hours of calls.
    if (report !== undefined) await writeFile(report, '');
    const service = describeService(model);
    const settings = {
      address: { host, port },
      upstream,
      headers: Object.fromEntries(header),
      fails: fail,
    };
    const ended = await runProxy(service, settings, {
      onStarted(server) {
        running = server;
        const { http, ws } = server;
        const text = `Proxy for ${onOneLine(`${service.title} ${service.version}`)} is running.\n  ${http}\n  ${ws}`;
        console.log(format === 'json' ? JSON.stringify({ http, ws }) : text);
      },
      onViolation(violation) {
        console.log(
          format === 'json' ? JSON.stringify({ violation }) : `  ${describeViolation(violation)}`,
        );
      },
    });
    const seen = running?.log.report();
    if (seen === undefined) return ended;
    if (report !== undefined) await writeFile(report, `${JSON.stringify(seen, null, 2)}\n`);
    console.log(format === 'json' ? JSON.stringify({ report: seen }) : describeReport(seen));
    return ended === 0 && seen.violations.length > 0 ? exitCodes.findings : ended;
  });
}

function describeViolation({ method, side, pointer, message }: SeenViolation): string {
  return `${visible(`${method ?? '(no method)'} ${side}${pointer}`)}: ${onOneLine(message)}`;
}

function describeReport({ calls, violations, other }: ViolationReport): string {
  const lines = violations.map(
    (each) => `${String(each.count).padStart(8)}  ${describeViolation(each)}`,
  );
  if (other > 0) lines.push(`${String(other).padStart(8)}  of other kinds`);
  const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
  const kinds = `${counted(violations.length, 'kind')} of violations`;
  return [`${counted(calls, 'call')}, ${kinds}`, ...lines].join('\n');
}

function readUpstream(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^(?:https?|wss?):$/.test(url.protocol)) return url;
  throw new InvalidArgumentError('Expected a URL that starts with http, https, ws or wss.');
}

type Header = readonly [name: string, value: string];

function readHeader(text: string, before: readonly Header[] = []): readonly Header[] {
  const [, name, value] = /^([!#$%&'*+.^`|~\w-]+):\s*([\t\x20-\x7e\x80-\xff]*)$/.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return [...before, [name, value]];
  throw new InvalidArgumentError('Expected "Name: value", with characters that HTTP allows.');
}
