import type { MethodModel } from '../../model/model.ts';
import { docComment, escapeTags } from '../../../common/escape/script.ts';
import { onOneLine } from '../../../common/escape/text.ts';
import { creditsOf } from './credits.ts';
import { classesOf, type ErrorClass } from './error-classes.ts';

/** A member's TSDoc comment: summary, findings, parameters, result, errors, link. */
export function documentMethod(method: MethodModel, classes: readonly ErrorClass[]): string {
  const credits = creditsOf(method);
  const cost = credits === null ? '' : `Costs ${credits} ${credits === 1 ? 'credit' : 'credits'}.`;
  const findings = [escapeTags(method.description), cost].filter((part) => part !== '');
  return docComment([
    escapeTags(method.summary || `Calls \`${method.name}\`.`),
    findings.length === 0 ? '' : `@findings\n${findings.join('\n\n')}`,
    tagsOf(method, classes).join('\n'),
  ]);
}

function tagsOf(method: MethodModel, classes: readonly ErrorClass[]): readonly string[] {
  const { result, externalDocs } = method;
  const link = externalDocs?.['url'];
  return [
    ...(method.paramStructure === 'by-name' ? [] : method.params).map((param) =>
      `@param ${param.identifier} - ${aboutOf(param)}`.trimEnd(),
    ),
    ...(result === null
      ? []
      : [`@returns ${aboutOf(result) || escapeTags(onOneLine(result.name))}`]),
    ...method.errors.map((error) => {
      const names = classesOf(error, classes).map(({ className }) => `\`${className}\``);
      const what = `${error.code}: ${escapeTags(onOneLine(error.message))}`;
      return `@throws ${names.join(', ') || '`RpcError`'} (${what})`;
    }),
    ...(typeof link === 'string' ? [`@see ${onOneLine(link)}`] : []),
    ...(method.deprecated ? ['@deprecated'] : []),
  ];
}

function aboutOf(of: { readonly summary: string; readonly description: string }): string {
  return escapeTags(onOneLine(of.summary || of.description));
}
