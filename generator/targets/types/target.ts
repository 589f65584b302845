import { codeSpan } from '../../../common/escape/markdown.ts';
import { deprecatedTag, docComment, scriptKey } from '../../../common/escape/script.ts';
import { onOneLine } from '../../../common/escape/text.ts';
import type { JsonObject, Schema } from '../../../common/json/value.ts';
import { loadTemplate } from '../../files/template.ts';
import { findAliasCycles } from '../../model/alias-cycles.ts';
import type { MethodModel, Model } from '../../model/model.ts';
import { componentOf } from '../../model/type-names.ts';
import { bannerLine } from '../banner.ts';
import { renderOnce } from '../render-once.ts';
import type { Target } from '../target.ts';
import { paramsType } from './params-type.ts';
import type { NameOf } from './type-schema.ts';
import { typeText } from './type-text.ts';

/** types.ts: TypeScript types of all schemas and methods. */
export const target: Target = {
  name: 'types',
  language: 'typescript',
  summary: 'TypeScript types of every schema and method',
  render: renderOnce(async (model, options) => {
    return new Map([['types.ts', `${bannerLine(options)}\n${await renderTypes(model)}`]]);
  }),
};

const template = loadTemplate(import.meta.url, './types.ts.hbs');

/**
 * Renders the types of all component schemas and of all methods' params and results, unformatted and
 * without banner.
 */
async function renderTypes(model: Model): Promise<string> {
  const schemas: object[] = [];
  const cycles = findAliasCycles(model);
  const nameOf = namesOf(model);
  for (const { name, typeName, schema } of model.schemas.values()) {
    const nameWithin = (component: string, within: 'union' | 'other') => {
      // A union with itself adds nothing; other cycles become unknown.
      const isItself = component === name && within === 'union';
      if (cycles.get(name)?.has(component)) return isItself ? 'never' : 'unknown';
      return nameOf(component, within);
    };
    const text = await typeText(schema, Object.assign(nameWithin, { inline: nameOf.inline }));
    schemas.push({ ...text, name: typeName, doc: schemaDoc(schema) });
  }
  for (const [schema, typeName] of model.inlineTypes) {
    const inline = (each: JsonObject) => (each === schema ? undefined : nameOf.inline(each));
    const text = await typeText(schema, Object.assign(nameOf.bind(null), { inline }));
    schemas.push({ ...text, name: typeName, doc: schemaDoc(schema) });
  }
  const methods: object[] = [];
  for (const method of model.methods) methods.push(await viewMethod(method, nameOf));
  return template({ schemas, methods });
}

/** Returns the names of a document's types, for code in a module that imports them as `prefix`. */
export function namesOf(model: Model, prefix = '') {
  const named = (name: string | undefined) => (name === undefined ? undefined : prefix + name);
  return Object.assign(
    (component: string, _within: 'union' | 'other') =>
      named(model.schemas.get(component)?.typeName) ?? 'unknown',
    { inline: (schema: JsonObject) => named(model.inlineTypes.get(schema)) },
  ) satisfies NameOf;
}

async function viewMethod(method: MethodModel, nameOf: NameOf) {
  const params = [];
  for (const param of method.params) {
    const { body } = await typeText(param.schema, nameOf);
    params.push({ param, type: body });
  }
  // Elements of a tuple cannot have comments.
  const listed = method.paramStructure === 'by-name' ? '' : listParams(method);
  return {
    key: scriptKey(method.name),
    doc: docComment([method.summary, method.description], deprecatedTag(method.deprecated)),
    paramsType: method.paramsType,
    paramsDoc: docComment([`Parameters of ${codeSpan(method.name)}.`, listed]),
    params: paramsType(method, params),
    ...(await viewResult(method, nameOf)),
  };
}

async function viewResult(method: MethodModel, nameOf: NameOf) {
  const { result, resultType } = method;
  if (result === null) return { resultType: 'undefined', resultDoc: '', result: '' };
  const doc = [`Result of ${codeSpan(method.name)}.`, result.description || result.summary];
  const component = componentOf(result.schema);
  // A component of that name is the result's type.
  const isDeclared = component !== null && nameOf(component, 'other') === resultType;
  const { body } = await typeText(result.schema, nameOf);
  return { resultType, resultDoc: docComment(doc), result: isDeclared ? '' : body };
}

function listParams(method: MethodModel): string {
  const lines = method.params.flatMap(({ name, summary, description }) => {
    const text = onOneLine(summary || description);
    return text === '' ? [] : [`- ${codeSpan(name)}: ${text}`];
  });
  return lines.join('\n');
}

function schemaDoc(schema: Schema): string {
  if (typeof schema === 'boolean') return '';
  const { title, description, deprecated } = schema;
  const text = description ?? title;
  return docComment([typeof text === 'string' ? text : ''], deprecatedTag(deprecated === true));
}
