import { codeCell, inlineMarkdown, markdownCell } from '../../../common/escape/markdown.ts';
import { pythonString } from '../../../common/escape/python.ts';
import type { MethodModel, Model } from '../../model/model.ts';
import { creditsOf } from '../client/credits.ts';
import type { ErrorClass } from '../client/error-classes.ts';
import { chooseExample, excerptOf } from '../client/example-code.ts';
import { packageName } from '../client/manifest.ts';
import { serverUrl } from '../client/server-url.ts';
import { writeCall } from './example-code.ts';

/** What the README's template is told. */
export interface ReadmeView {
  readonly title: string;
  readonly packageName: string;
  readonly module: string;
  readonly httpUrl: string;
  readonly wsUrl: string;
  /** A call to show; a bare request where no method has an example. */
  readonly firstCall: string;
  readonly firstUrl: string;
  /** A method to name, as a member of the client, with its arguments. */
  readonly member: string;
  readonly hasCredits: boolean;
  readonly methods: readonly ReadmeMethod[];
  readonly errors: readonly ReadmeError[];
  readonly anError: string;
}

interface ReadmeMethod {
  /** The wire's name as code. */
  readonly name: string;
  readonly identifier: string;
  readonly summary: string;
  readonly credits: string;
  readonly hasExample: boolean;
  readonly url: string;
  readonly call: string;
  readonly isNotification: boolean;
  readonly result: string;
}

interface ReadmeError {
  readonly className: string;
  readonly code: number;
  readonly reason: string;
  readonly cause: string;
  readonly fix: string;
}

interface ReadmeNames {
  readonly module: string;
  readonly classes: readonly ErrorClass[];
  readonly names: ReadonlyMap<MethodModel, string>;
}

const NO_HTTP = 'https://rpc.example.com/';
const NO_WS = 'wss://rpc.example.com/';

/** Writes the document as the README's template needs it. */
export function viewReadme(model: Model, { module, classes, names }: ReadmeNames): ReadmeView {
  const methods = model.methods.map((method) => viewMethod(model, method, names.get(method)!));
  const httpUrl = pythonString(serverUrl(model, 'http') ?? NO_HTTP);
  const first = simplest(methods);
  return {
    title: inlineMarkdown(model.info.title),
    packageName: packageName(model.info.title),
    module,
    httpUrl,
    wsUrl: pythonString(serverUrl(model, 'ws') ?? NO_WS),
    firstCall: first?.call ?? 'client.request("rpc.discover")',
    firstUrl: first?.url ?? httpUrl,
    member: asArguments(first?.call ?? 'client.request("rpc.discover")'),
    hasCredits: model.methods.some((method) => creditsOf(method) !== null),
    methods,
    errors: classes.map(({ row, className }) => ({
      className,
      code: row.code,
      reason: row.reason === null ? '' : codeCell(row.reason),
      cause: markdownCell(row.cause ?? row.message),
      fix: markdownCell(row.fix ?? ''),
    })),
    anError: classes.find(({ isRevert }) => !isRevert)?.className ?? 'RpcError',
  };
}

function viewMethod(model: Model, method: MethodModel, identifier: string): ReadmeMethod {
  const example = chooseExample(method);
  const value = example?.result?.value;
  const url = example === null ? null : serverUrl(model, 'http', { method, example });
  return {
    name: codeCell(method.name),
    identifier,
    summary: markdownCell(method.summary),
    credits: String(creditsOf(method) ?? ''),
    hasExample: example !== null,
    url: pythonString(url ?? NO_HTTP),
    call: example === null ? '' : writeCall(method, identifier, example),
    isNotification: method.result === null,
    result: value === undefined ? '' : excerptOf(value),
  };
}

/** The call that shows most simply how it is done: of those that cost least the shortest. */
function simplest(methods: readonly ReadmeMethod[]): ReadmeMethod | undefined {
  return methods
    .filter(({ hasExample, isNotification }) => hasExample && !isNotification)
    .toSorted(
      (one, other) =>
        Number(one.credits) - Number(other.credits) || one.call.length - other.call.length,
    )[0];
}

/** "client.a(1)" as what is given to those who call a method for another: "client.a, 1". */
function asArguments(call: string): string {
  const open = call.indexOf('(');
  const args = call.slice(open + 1, -1);
  return args === '' ? call.slice(0, open) : `${call.slice(0, open)}, ${args}`;
}
