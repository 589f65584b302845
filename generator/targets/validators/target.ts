import { escapeScript, scriptKey, scriptString } from '../../../common/escape/script.ts';
import { loadTemplate, readBeside } from '../../files/template.ts';
import type { Schema } from '../../../common/json/value.ts';
import type { MethodModel, Model } from '../../model/model.ts';
import { bannerLine } from '../banner.ts';
import { literal } from '../literal.ts';
import type { Target } from '../target.ts';
import { compileSchemas } from './compile.ts';
import { expectedBy } from '../../violations/facts.ts';
import { planSchemas } from './plan.ts';

interface MethodView {
  readonly key: string;
  readonly structure: string;
  readonly params: readonly Readonly<
    Record<'name' | 'required' | 'validate' | 'expected', string>
  >[];
  readonly result: string;
}

interface View {
  readonly facts: readonly { readonly path: string; readonly fact: string }[];
  readonly methods: readonly MethodView[];
  readonly code: string;
}

const code = loadTemplate<View>(import.meta.url, './validators.js.hbs');
const declarations = loadTemplate<View>(import.meta.url, './validators.d.ts.hbs');

const RUNTIME = [
  'check.d.ts',
  'check.js',
  'expected.js',
  'formats.js',
  'helpers.js',
  'nearest.js',
  'nearest-name.js',
  'violations.d.ts',
  'violations.js',
];

/** validators.js: what is wrong with a method's params or result, without anything at run time. */
export const target: Target = {
  name: 'validators',
  language: 'typescript',
  summary: 'validators of params and results that need no library at run time',
  render(model, options) {
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
  },
};

function viewOf(model: Model): View {
  const plan = planSchemas(model);
  const wanted = model.methods.flatMap(({ params, result }) =>
    [...params, ...(result === null ? [] : [result])].map(({ schema }) => plan.idOf(schema)),
  );
  const ids = new Set(wanted.filter((id) => id !== null));
  const compiled = compileSchemas(plan.inputs, [...ids]);
  const nameOf = (schema: Schema) => String(compiled.names.get(plan.idOf(schema) ?? '') ?? null);
  return {
    facts: [...plan.facts]
      .filter(([path]) => compiled.names.has(path.slice(0, path.indexOf('#'))))
      .map(([path, fact]) => ({
        path: scriptString(path),
        fact: escapeScript(JSON.stringify(fact)),
      })),
    methods: model.methods.map((method) => viewMethod(model, method, nameOf)),
    code: compiled.code,
  };
}

function viewMethod(
  model: Model,
  method: MethodModel,
  nameOf: (schema: Schema) => string,
): MethodView {
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
