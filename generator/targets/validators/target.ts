import { escapeScript, scriptKey, scriptString } from '../../../common/escape/script.ts';
import { loadTemplate, readBeside } from '../../files/template.ts';
import type { Schema } from '../../../common/json/value.ts';
import { createNullFinder } from '../../model/absent-nulls.ts';
import type { MethodModel, Model } from '../../model/model.ts';
import { bannerLine } from '../banner.ts';
import { literal } from '../literal.ts';
import { renderOnce } from '../render-once.ts';
import type { Target } from '../target.ts';
import { compileSchemas } from './compile.ts';
import { expectedBy } from '../../violations/facts.ts';
import { nullsForCheck } from './nulls.ts';
import { planSchemas } from './plan.ts';

const code = loadTemplate(import.meta.url, './validators.js.hbs');
const declarations = loadTemplate(import.meta.url, './validators.d.ts.hbs');

const RUNTIME = [
  'check.d.ts',
  'check.js',
  'expected.js',
  'formats.js',
  'helpers.js',
  'nearest.js',
  'nearest-name.js',
  'nulls.js',
  'violations.d.ts',
  'violations.js',
];

/** validators.js: checks a method's params or result without a library. */
export const target: Target = {
  name: 'validators',
  language: 'typescript',
  summary: 'validators of params and results, without runtime dependencies',
  render: renderOnce((model, options) => {
    const banner = bannerLine(options);
    const view = viewOf(model);
    return new Map([
      ['validators.js', `${banner}\n${code(view)}`],
      ['validators.d.ts', `${banner}\n${declarations(view)}`],
      ...RUNTIME.map((file): [string, string] => [
        `validators-runtime/${file}`,
        `${banner}\n${readBeside(import.meta.url, `../../../common/validators-runtime/${file}`)}`,
      ]),
    ]);
  }),
};

function viewOf(model: Model): object {
  const plan = planSchemas(model);
  const compiled = compileSchemas(plan);
  const findNulls = createNullFinder(model);
  const nameOf = (schema: Schema) => String(compiled.names.get(plan.idOf(schema) ?? '') ?? null);
  return {
    facts: [...plan.facts]
      .filter(([path]) => compiled.names.has(path.slice(0, path.indexOf('#'))))
      .map(([path, fact]) => ({
        path: scriptString(path),
        fact: escapeScript(JSON.stringify(fact)),
      })),
    methods: model.methods.map((method) => {
      const nulls = nullsForCheck(findNulls(method));
      return { ...viewMethod(model, method, nameOf), nulls: nulls && literal(nulls) };
    }),
    code: compiled.code,
  };
}

function viewMethod(model: Model, method: MethodModel, nameOf: (schema: Schema) => string) {
  const component = (name: string) => model.schemas.get(name)?.schema;
  return {
    key: scriptKey(method.name),
    structure: literal(method.paramStructure),
    params: method.params.map(({ name, required, schema }) => ({
      name: scriptString(name),
      required: String(required),
      validate: nameOf(schema),
      expected: literal(expectedBy(schema, component)),
    })),
    result: method.result === null ? 'null' : nameOf(method.result.schema),
  };
}
