import { toBigInts } from '../../../../common/json/exact.ts';
import { renderSamples } from '../../../../common/samples/render-samples.ts';
import type { MethodModel, ParamModel } from '../../../model/model.ts';
import { breakableName, safeUrl } from '../html.ts';
import { networkFor } from '../networks.ts';
import {
  type Page,
  type SearchRecord,
  createPageTools,
  type PageTools,
  type RenderContext,
} from '../page.ts';
import { recordsOfFields } from '../schema/text.ts';
import { factsOfMethod } from './method-facts.ts';
import { exampleParams, viewExamples } from './example.ts';
import { methodMarkdown } from './method-markdown.ts';
import { viewMethodErrors } from './errors.ts';

const STRUCTURES = {
  'by-position': 'by position, as an array',
  'by-name': 'by name, as an object',
  either: 'by position (an array) or by name (an object)',
} as const;

/** Renders the page of a method. */
export function methodPage(method: MethodModel, context: RenderContext): Page {
  const { site } = context;
  const path = site.methodPath(method.name);
  const tools = createPageTools(context, path);
  const describeParam = tools.describer('input');
  const params = method.params.map((param) =>
    describeParam(param.schema, {
      name: param.name,
      path: ['params', param.name],
      isRequired: param.required,
      description: descriptionOf(param),
      isDeprecated: param.deprecated,
    }),
  );
  const result =
    method.result === null
      ? null
      : tools.describer()(method.result.schema, {
          name: method.result.name,
          path: ['result'],
          description: method.result.description || method.result.summary,
        });
  const examples = viewExamples(method, tools);
  const facts = factsOfMethod(method);
  const view = {
    root: tools.root,
    name: method.name,
    heading: breakableName(method.name),
    dataPath: `${path}.json`,
    summary: tools.inline(method.summary),
    description: tools.html(method.description),
    ...facts,
    describesForwarding: /\bforward/i.test(method.description),
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
  const found: SearchRecord[] = [
    {
      url: `${path}.html`,
      title: method.name,
      kind: 'method',
      context: facts.tag,
      text: `${method.summary} ${method.description}`,
    },
    ...params.flatMap((param) =>
      recordsOfFields(param, { page: `${path}.html`, kind: 'parameter', context: method.name }),
    ),
    ...(result === null
      ? []
      : recordsOfFields(result, { page: `${path}.html`, kind: 'field', context: method.name })),
  ];
  return {
    path,
    title: method.name,
    summary: method.summary,
    template: 'method',
    view,
    markdown: methodMarkdown(method, view),
    records: found,
  };
}

function descriptionOf({ summary, description }: ParamModel): string {
  return description || summary;
}

function viewSamples(method: MethodModel, { site }: RenderContext, tools: PageTools) {
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
    html: tools.highlight(sample.code, sample.language),
  }));
}

function externalDocsOf({ externalDocs }: MethodModel) {
  const url = safeUrl(externalDocs?.['url']);
  if (url === null) return null;
  const description = externalDocs?.['description'];
  return { url, text: typeof description === 'string' ? description : url };
}
