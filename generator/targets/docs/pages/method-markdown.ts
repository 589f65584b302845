import { codeSpan, inlineMarkdown } from '../../../../common/escape/markdown.ts';
import type { MethodModel } from '../../../model/model.ts';
import { schemaMarkdown } from '../schema/text.ts';
import type { SchemaView } from '../schema/view.ts';
import { safeMarkdown } from '../text/safe-markdown.ts';
import type { MethodErrorView } from './errors.ts';
import type { ExampleView } from './example.ts';
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
  const { creditsText, transportsText, params, result, errors, examples } = view;
  const until = view.sunset === '' ? '' : ` until ${inlineMarkdown(view.sunset)}`;
  const facts = [
    creditsText && `Costs ${creditsText}.`,
    transportsText && `Available over ${inlineMarkdown(transportsText)}.`,
    view.isForwarded && 'May be forwarded to a partner during an outage, on plans that qualify.',
    view.immutableText,
    view.isDeprecated && `Deprecated${until}.`,
  ].filter(Boolean);
  const list = params.map((param) => schemaMarkdown(param)).join('\n');
  return joinParts(
    inlineMarkdown(summary),
    safeMarkdown(description),
    facts.join(' '),
    '## Parameters',
    params.length === 0 ? 'None.' : `Passed ${view.paramStructure}.\n\n${list}`,
    '## Result',
    result === null ? 'None: this is a notification.' : schemaMarkdown(result),
    ...(errors.length === 0 ? [] : ['## Errors', errors.map(errorLine).join('\n')]),
    ...(examples.length === 0 ? [] : ['## Examples', ...examples.map(exampleText)]),
  );
}

function joinParts(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

function errorLine({ code, name, message, cases, hidden }: MethodErrorView): string {
  const list = cases
    .filter(({ causeText }) => causeText !== '')
    .map(
      ({ reason, causeText, fixText }) =>
        `  - ${codeSpan(reason)}: ${inlineMarkdown(causeText)} Fix: ${inlineMarkdown(fixText)}`,
    );
  if (hidden > 0) list.push(`  - ${hidden} more on the error page`);
  return [`- \`${code}\` ${inlineMarkdown(name)}: ${inlineMarkdown(message)}`, ...list].join('\n');
}

function exampleText({ name, text, requestText, answerText }: ExampleView): string {
  const response = answerText === '' ? [] : ['Response:', fence(answerText)];
  const request = ['Request:', fence(requestText)];
  return joinParts(`### ${inlineMarkdown(name)}`, safeMarkdown(text), ...request, ...response);
}

function fence(json: string): string {
  return `\`\`\`json\n${json}\n\`\`\``;
}
