import { codeSpan, inlineMarkdown } from '../../../../common/escape/markdown.ts';
import { escapeJson } from '../../../../common/escape/json.ts';
import { onOneLine } from '../../../../common/escape/text.ts';
import type { MethodModel } from '../../../model/model.ts';
import { schemaMarkdown } from '../schema/text.ts';
import type { SchemaView } from '../schema/view.ts';
import { safeMarkdown } from '../text/safe-markdown.ts';
import type { ExampleView } from './example.ts';
import type { MethodErrorView } from './errors.ts';
import type { MethodFacts } from './method-facts.ts';

interface View extends MethodFacts {
  readonly paramStructure: string;
  readonly params: readonly SchemaView[];
  readonly result: SchemaView | null;
  readonly errors: readonly MethodErrorView[];
  readonly examples: readonly ExampleView[];
}

/** Renders the Markdown version of a method's page. */
export function methodMarkdown({ summary, description }: MethodModel, view: View): string {
  const facts = [
    view.creditsText === '' ? '' : `Costs ${view.creditsText}.`,
    view.transportsText === '' ? '' : `Available over ${onOneLine(view.transportsText)}.`,
    view.isForwarded
      ? 'May be forwarded to a partner during an outage, on plans that qualify.'
      : '',
    view.isDeprecated
      ? `Deprecated${view.sunset === '' ? '' : ` until ${onOneLine(view.sunset)}`}.`
      : '',
  ].filter((fact) => fact !== '');
  const sections = [
    inlineMarkdown(summary),
    safeMarkdown(description),
    facts.join(' '),
    '## Parameters',
    view.params.length === 0
      ? 'None.'
      : `Passed ${view.paramStructure}.\n\n${view.params.map((param) => schemaMarkdown(param)).join('\n')}`,
    '## Result',
    view.result === null ? 'None: this is a notification.' : schemaMarkdown(view.result),
    ...(view.errors.length === 0 ? [] : ['## Errors', view.errors.map(errorLine).join('\n')]),
    ...(view.examples.length === 0 ? [] : ['## Examples', ...view.examples.map(exampleText)]),
  ];
  return sections.filter((section) => section !== '').join('\n\n');
}

function errorLine({ code, name, message, cases }: MethodErrorView): string {
  const list = cases
    .filter(({ causeText }) => causeText !== '')
    .map(
      ({ reason, causeText, fixText }) =>
        `  - ${codeSpan(reason)}: ${inlineMarkdown(causeText)} Fix: ${inlineMarkdown(fixText)}`,
    );
  return [`- \`${code}\` ${inlineMarkdown(name)}: ${inlineMarkdown(message)}`, ...list].join('\n');
}

function exampleText({ name, text, requestText, answerText }: ExampleView): string {
  const response = answerText === '' ? [] : ['Response:', fence(answerText)];
  return [
    `### ${inlineMarkdown(name)}`,
    safeMarkdown(text),
    'Request:',
    fence(requestText),
    ...response,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function fence(json: string): string {
  return `\`\`\`json\n${escapeJson(json)}\n\`\`\``;
}
