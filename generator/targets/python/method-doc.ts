import { onOneLine } from '../../../common/escape/text.ts';
import type { MethodModel } from '../../model/model.ts';
import { creditsOf } from '../client/credits.ts';
import { classesOf, type ErrorClass } from '../client/error-classes.ts';
import { docstring } from './docstring.ts';

/** A method's docstring: summary, description, price, parameters, result, errors, link. */
export function documentMethod(
  method: MethodModel,
  classes: readonly ErrorClass[],
  { names, timeout }: { readonly names: readonly string[]; readonly timeout: string },
): string {
  const credits = creditsOf(method);
  const link = method.externalDocs?.['url'];
  return docstring(
    [
      method.summary || `Calls ${method.name}.`,
      method.deprecated ? 'Deprecated.' : '',
      method.description,
      credits === null ? '' : `Costs ${credits} ${credits === 1 ? 'credit' : 'credits'}.`,
      section('Args', [
        ...method.params.map((param, index) => `${names[index]}: ${aboutOf(param)}`.trimEnd()),
        `${timeout}: This call's time in seconds, in place of the client's.`,
      ]),
      method.result === null
        ? ''
        : section('Returns', [aboutOf(method.result) || onOneLine(method.result.name)]),
      section('Raises', raisesOf(method, classes)),
      typeof link === 'string' ? `See ${onOneLine(link)}` : '',
    ],
    '        ',
  );
}

function raisesOf(method: MethodModel, classes: readonly ErrorClass[]): readonly string[] {
  return method.errors.flatMap((error) => {
    const names = classesOf(error, classes).map(({ className }) => className);
    const what = `${error.code}: ${onOneLine(error.message)}`;
    return [`${names.join(', ') || 'RpcError'}: ${what}`];
  });
}

function section(title: string, lines: readonly string[]): string {
  const kept = lines.filter((line) => line !== '');
  return kept.length === 0 ? '' : [`${title}:`, ...kept.map((line) => `    ${line}`)].join('\n');
}

function aboutOf(of: { readonly summary: string; readonly description: string }): string {
  return onOneLine(of.summary || of.description);
}
