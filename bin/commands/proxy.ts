import { writeFile } from 'node:fs/promises';
import { InvalidArgumentError, type Command } from 'commander';
import { onOneLine, visibleAtStart } from '../../common/escape/text.ts';
import type { LoadOptions } from '../../generator/document.ts';
import { runProxy, type RunningProxy } from '../../src/main/proxy.ts';
import type { SeenViolation, ViolationReport } from '../../src/proxy/violation-log.ts';
import { describeService } from './describe-service.ts';
import { openDocument } from './open-document.ts';
import {
  addAddress,
  allowRemoteOption,
  lenientOption,
  formatOption,
  readHeader,
  type Header,
  type OutputFormat,
  resolveOption,
} from './options.ts';
import { runService } from './run-service.ts';
import { counted, examples, exitCodes, toJsonLine, toJsonText } from './verb.ts';

interface Options extends LoadOptions {
  readonly spec: string;
  readonly upstream: URL;
  readonly header?: readonly Header[];
  readonly allowOrigin?: readonly string[];
  readonly fail: boolean;
  readonly report?: string;
  readonly port: number;
  readonly host: string;
  readonly format: OutputFormat;
}

const PORT = 3031;

/** `specgate proxy`: checks the traffic of a running server against a document. */
export function register(command: Command): void {
  command
    .description(
      'Forwards calls to a JSON-RPC server and checks requests and responses against an OpenRPC\n' +
        'document. Prints each kind of violation when it first occurs, with its method, whether it is in\n' +
        'the request or the response, and its location. SIGTERM or Ctrl-C stops the proxy, which then\n' +
        'prints how often each kind occurred and exits with 1 if there were violations.',
    )
    .requiredOption('-s, --spec <spec>', 'OpenRPC document: a path, a URL, or - for standard input')
    .requiredOption(
      '-u, --upstream <url>',
      'http, https, ws or wss URL of the server',
      readUpstream,
    )
    .option(
      '-H, --header <header...>',
      'header to send to the server, as "Name: value"',
      readHeader,
    )
    .option(
      '--allow-origin <origin...>',
      'web origin whose pages may call the proxy; pages served on this machine are always allowed',
      readOrigins,
    )
    .option(
      '--fail',
      'respond to contract violations with an error instead of forwarding them',
      false,
    )
    .option('--report <file>', 'also write the report to a file, as JSON')
    .addOption(allowRemoteOption)
    .addOption(resolveOption)
    .addOption(lenientOption)
    .addOption(formatOption())
    .addHelpText(
      'after',
      examples(
        'proxy --spec openrpc.json --upstream http://127.0.0.1:8545',
        'proxy -s openrpc.json -u wss://example.org/ws -H "Authorization: Bearer $TOKEN" --fail',
      ),
    )
    .action(proxy);
  addAddress(command, PORT);
}

function proxy({ spec, upstream, header = [], fail, report, ...options }: Options): Promise<void> {
  const { port, host, format, allowOrigin: origins = [] } = options;
  let running: RunningProxy | undefined;
  return runService(async () => {
    const { model } = await openDocument(spec, options);
    // If the file cannot be written, this fails now and not after hours of calls.
    if (report !== undefined) await writeFile(report, '');
    const service = describeService(model);
    const settings = {
      address: { host, port },
      upstream,
      headers: Object.fromEntries(header),
      origins,
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
          format === 'json' ? toJsonLine({ violation }) : `  ${describeViolation(violation)}`,
        );
      },
    });
    const seen = running?.log.report();
    if (seen === undefined) return ended;
    if (report !== undefined) await writeFile(report, toJsonText(seen));
    console.log(format === 'json' ? toJsonLine({ report: seen }) : describeReport(seen));
    return ended === 0 && seen.violations.length > 0 ? exitCodes.findings : ended;
  });
}

function describeViolation({ method, side, pointer, message }: SeenViolation): string {
  return `${visibleAtStart(`${method ?? '(no method)'} ${side}${pointer}`)}: ${onOneLine(message)}`;
}

function describeReport({ calls, violations, other }: ViolationReport): string {
  const lines = violations.map(
    (each) => `${String(each.count).padStart(8)}  ${describeViolation(each)}`,
  );
  if (other > 0) lines.push(`${String(other).padStart(8)}  of other kinds`);
  const kinds = `${counted(violations.length, 'kind')} of violation`;
  return [`${counted(calls, 'call')}, ${kinds}`, ...lines].join('\n');
}

function readOrigins(text: string, before: readonly string[] = []): readonly string[] {
  const origin = URL.canParse(text) ? new URL(text).origin : 'null';
  if (origin !== 'null') return [...before, origin];
  throw new InvalidArgumentError('Expected an origin, such as https://app.example.org.');
}

function readUpstream(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^(?:https?|wss?):$/.test(url.protocol)) return url;
  throw new InvalidArgumentError('Expected a URL that starts with http, https, ws or wss.');
}
