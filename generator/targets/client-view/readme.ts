import {
  codeCell,
  descriptionLine,
  inlineMarkdown,
  markdownCell,
} from '../../../common/escape/markdown.ts';
import type { ExampleModel, MethodModel, Model } from '../../model/model.ts';
import type { ErrorClass } from './errors.ts';
import { chooseExample, creditsOf, declaredBy, excerptOf, serverUrl } from './methods.ts';
import { packageName, packageVersion } from './package.ts';

/** The parts of a README that depend on the client's language. */
interface ReadmeLanguage {
  readonly classes: readonly ErrorClass[];
  stringLiteral(text: string): string;
  identifierOf(method: MethodModel): string;
  writeCall(method: MethodModel, example: ExampleModel): string;
}

const PLACEHOLDERS = { http: 'https://rpc.example.com/', ws: 'wss://rpc.example.com/' };

/** Returns the view of the README template that all client languages share. */
export function viewReadme(model: Model, language: ReadmeLanguage) {
  const urlOf = (scheme: 'http' | 'ws', call?: Parameters<typeof serverUrl>[2]) =>
    language.stringLiteral(serverUrl(model, scheme, call) ?? PLACEHOLDERS[scheme]);
  const methods = model.methods.map((method) => {
    const example = chooseExample(method);
    const value = example?.result?.value;
    return {
      name: codeCell(method.name),
      identifier: language.identifierOf(method),
      summary: markdownCell(method.summary),
      credits: String(creditsOf(method) ?? ''),
      params: method.params.map(({ name, required, summary, description }) => ({
        name: inlineMarkdown(name),
        required,
        about: summary === '' ? descriptionLine(description) : inlineMarkdown(summary),
      })),
      hasExample: example !== null,
      url: example === null ? '' : urlOf('http', { method, example }),
      call: example === null ? '' : language.writeCall(method, example),
      isNotification: method.result === null,
      result: value === undefined ? '' : excerptOf(value),
    };
  });
  // The shortest of the cheapest calls.
  const [first = null] = methods
    .filter(({ hasExample, isNotification }) => hasExample && !isNotification)
    .toSorted((a, b) => Number(a.credits) - Number(b.credits) || a.call.length - b.call.length);
  return {
    title: inlineMarkdown(model.info.title),
    packageName: packageName(model),
    packageVersion: packageVersion(model.info.version),
    httpUrl: urlOf('http'),
    wsUrl: urlOf('ws'),
    ...declaredBy(model),
    methods,
    first,
    errors: language.classes.map(({ row, className }) => ({
      className,
      code: row.code,
      reason: row.reason === null ? '' : codeCell(row.reason),
      cause: markdownCell(row.cause ?? row.message),
      fix: markdownCell(row.fix ?? ''),
    })),
  };
}
