import {
  codeCell,
  codeSpan,
  inlineMarkdown,
  markdownCell,
} from '../../../common/escape/markdown.ts';
import type { MethodModel, Model } from '../../model/model.ts';
import { literal } from '../literal.ts';
import { creditsOf } from './credits.ts';
import type { ErrorClass } from './error-classes.ts';
import { chooseExample, excerptOf, writeCall } from './example-code.ts';
import { packageName } from './manifest.ts';
import { serverUrl } from './server-url.ts';
import { findWideIntegers } from './wide-integers.ts';

/** What the README's template is told. */
export interface ReadmeView {
  readonly title: string;
  readonly packageName: string;
  readonly httpUrl: string;
  readonly wsUrl: string;
  readonly hasCredits: boolean;
  readonly isWide: boolean;
  readonly methods: readonly ReadmeMethod[];
  /** What a reader tries first: the shortest of the cheapest examples; null when there is none. */
  readonly first: ReadmeMethod | null;
  readonly errors: readonly ReadmeError[];
  readonly wideIntegers: readonly string[];
}

interface ReadmeMethod {
  /** The wire's name as code. */
  readonly name: string;
  readonly identifier: string;
  readonly summary: string;
  readonly credits: string;
  readonly params: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly about: string;
  }[];
  readonly paramNames: string;
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

const NO_HTTP = 'https://rpc.example.com/';
const NO_WS = 'wss://rpc.example.com/';

/** Writes the document as the README's template needs it. */
export function viewReadme(model: Model, classes: readonly ErrorClass[]): ReadmeView {
  const wideIntegers = findWideIntegers(model);
  const methods = model.methods.map((method) => viewMethod(model, method));
  return {
    title: inlineMarkdown(model.info.title),
    packageName: packageName(model.info.title),
    httpUrl: literal(serverUrl(model, 'http') ?? NO_HTTP),
    wsUrl: literal(serverUrl(model, 'ws') ?? NO_WS),
    hasCredits: model.methods.some((method) => creditsOf(method) !== null),
    methods,
    first: findFirst(methods),
    errors: classes.map(({ row, className }) => ({
      className,
      code: row.code,
      reason: row.reason === null ? '' : codeCell(row.reason),
      cause: markdownCell(row.cause ?? row.message),
      fix: markdownCell(row.fix ?? ''),
    })),
    wideIntegers: wideIntegers.map(codeSpan),
    isWide: wideIntegers.length > 0,
  };
}

function findFirst(methods: readonly ReadmeMethod[]): ReadmeMethod | null {
  const [first = null] = methods
    .filter(({ hasExample, isNotification }) => hasExample && !isNotification)
    .toSorted((a, b) => Number(a.credits) - Number(b.credits) || a.call.length - b.call.length);
  return first;
}

function viewMethod(model: Model, method: MethodModel): ReadmeMethod {
  const example = chooseExample(method);
  const value = example?.result?.value;
  return {
    name: codeCell(method.name),
    identifier: method.identifier,
    summary: markdownCell(method.summary),
    credits: String(creditsOf(method) ?? ''),
    params: method.params.map(({ name, required, summary, description }) => ({
      name: inlineMarkdown(name),
      required,
      about: inlineMarkdown(summary || description),
    })),
    paramNames:
      method.paramStructure === 'by-name'
        ? 'params'
        : method.params.map(({ identifier }) => identifier).join(', '),
    hasExample: example !== null,
    url: example === null ? '' : literal(serverUrl(model, 'http', { method, example }) ?? NO_HTTP),
    call: example === null ? '' : writeCall(method, example),
    isNotification: method.result === null,
    result: value === undefined ? '' : excerptOf(value),
  };
}
