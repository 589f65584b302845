import { escapeJson } from '../../../common/escape/json.ts';
import { loadTemplate, readBeside } from '../../files/template.ts';
import { printExact } from '../../../common/json/exact.ts';
import type { MethodModel, Model } from '../../model/model.ts';
import { bannerLine } from '../banner.ts';
import { deprecatedTag, docComment, scriptKey } from '../../../common/escape/script.ts';
import { literal } from '../literal.ts';
import type { Target } from '../target.ts';

const index = loadTemplate(import.meta.url, './index.ts.hbs');
const dispatch = loadTemplate(import.meta.url, './dispatch.ts.hbs');
const reference = loadTemplate(import.meta.url, './reference.js.hbs');
const declarations = loadTemplate(import.meta.url, './reference.d.ts.hbs');

/** server/: typed handlers with a dispatcher, and a reference server without handlers. */
export const target: Target = {
  name: 'server',
  language: 'typescript',
  summary: 'typed handlers with a dispatcher, and a reference server that returns the examples',
  render(model, options) {
    const banner = bannerLine(options);
    const text = (body: string) => `${banner}\n${body}`;
    return new Map([
      ['server/index.ts', text(index(viewOf(model)))],
      ['server/dispatch.ts', text(dispatch({}))],
      ['server/document.json', `${escapeJson(printExact(model.document, 2))}\n`],
      ['server/reference.js', text(reference({}))],
      ['server/reference.d.ts', text(declarations({}))],
      ...['reference-document.js', 'result-size.js'].map((name): [string, string] => [
        `server/${name}`,
        text(readBeside(import.meta.url, `./${name}`)),
      ]),
    ]);
  },
};

function viewOf(model: Model): object {
  const imports = model.methods.flatMap(({ paramsType, resultType, result }) =>
    result === null ? [paramsType] : [paramsType, resultType],
  );
  return { imports: [...new Set(imports)], methods: model.methods.map(viewMethod) };
}

function viewMethod(method: MethodModel) {
  const { name, paramsType, resultType, paramStructure, params, result } = method;
  const isEither = paramStructure === 'either';
  return {
    key: scriptKey(name),
    doc: docComment([method.summary], deprecatedTag(method.deprecated)),
    params: isEither ? `Extract<${paramsType}, readonly unknown[]>` : paramsType,
    result: result === null ? 'void' : resultType,
    // Only for methods whose params may be passed either way.
    names: isEither ? literal(params.map((param) => param.name)) : '',
  };
}
