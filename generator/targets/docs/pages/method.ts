import { toBigInts } from '../../../../common/json/exact.ts';
import { renderSamples } from '../../../../common/samples/render-samples.ts';
import type { MethodModel } from '../../../model/model.ts';
import { textAt } from '../../../model/member.ts';
import { breakableName, safeUrl } from '../html.ts';
import { networkFor } from '../networks.ts';
import { createPageTools, type Page, type PageTools, type RenderContext } from '../page.ts';
import { recordsOfFields } from '../schema/text.ts';
import { viewMethodErrors } from './errors.ts';
import { exampleParams, viewExamples } from './example.ts';
import { factsOfMethod } from './method-facts.ts';
import { methodMarkdown } from './method-markdown.ts';

const STRUCTURES = {
  'by-position': 'by position, as an array',
  'by-name': 'by name, as an object',
  either: 'by position (an array) or by name (an object)',
} as const;

export function methodPage(method: MethodModel, context: RenderContext): Page {
  const { name, summary, description } = method;
  const path = context.site.methodPath(name);
  const tools = createPageTools(context, path);
  const describeParam = tools.describer('input');
  const params = method.params.map((param) =>
    describeParam(param.schema, {
      name: param.name,
      path: ['params', param.name],
      isRequired: param.required,
      description: param.description || param.summary,
      isDeprecated: param.deprecated,
    }),
  );
  const result =
    method.result &&
    tools.describer()(method.result.schema, {
      name: method.result.name,
      path: ['result'],
      description: method.result.description || method.result.summary,
    });
  const examples = viewExamples(method, tools);
  const facts = factsOfMethod(method);
  const view = {
    root: tools.root,
    name,
    heading: breakableName(name),
    dataPath: `${path}.json`,
    summary: tools.inline(summary),
    description: tools.html(description),
    ...facts,
    describesForwarding: /\bforward/i.test(description),
    paramStructure: STRUCTURES[method.paramStructure],
    params,
    hasParams: params.length > 0,
    result,
    isNotification: result === null,
    errors: viewMethodErrors(method, tools),
    examples,
    hasExamples: examples.length > 0,
    samples: viewSamples(method, context, tools),
    externalDocs: externalDocsOf(method),
  };
  const page = `${path}.html`;
  const text = `${summary} ${description}`;
  return {
    path,
    title: name,
    summary,
    template: 'method',
    view,
    markdown: methodMarkdown(method, view),
    records: [
      { url: page, title: name, kind: 'method', context: facts.tag, text },
      ...params.flatMap((each) =>
        recordsOfFields(each, { page, kind: 'parameter', context: name }),
      ),
      ...(result === null ? [] : recordsOfFields(result, { page, kind: 'field', context: name })),
    ],
  };
}

function viewSamples(method: MethodModel, { site, sampleBudget }: RenderContext, tools: PageTools) {
  const { family } = factsOfMethod(method);
  const example = method.examples.find(({ extensions }) => extensions['x-error'] === undefined);
  const network =
    site.networks.find(({ name }) => name === example?.extensions['x-network']) ??
    networkFor(family, site.networks);
  const samples = renderSamples({
    method: site.sampleMethod(method),
    params: example === undefined ? [] : toBigInts(exampleParams(method, example)),
    network,
  });
  return samples.map((sample) => ({
    ...sample,
    elementId: tools.ids('sample', sample.id),
    html: tools.highlight(sample.code, sample.language, sampleBudget),
  }));
}

function externalDocsOf({ externalDocs }: MethodModel) {
  const url = safeUrl(externalDocs?.['url']);
  return url === null ? null : { url, text: textAt(externalDocs ?? {}, 'description') || url };
}
