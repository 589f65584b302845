import { docstringText } from '../../../common/escape/python.ts';
import { onOneLine } from '../../../common/escape/text.ts';
import { loadTemplate } from '../../files/template.ts';
import type { Model } from '../../model/model.ts';
import { bannerText } from '../banner.ts';
import { findPassing } from '../client/error-classes.ts';
import type { Rendered, TargetOptions } from '../target.ts';
import { type ErrorView, viewErrors } from './error-view.ts';
import { listLiteral } from './literal.ts';
import { renderManifest } from './manifest.ts';
import { type MethodView, viewMethod } from './method-view.ts';
import { moduleName, nameErrors, nameMethods } from './names.ts';
import { type ReadmeView, viewReadme } from './readme-view.ts';
import { readRuntime } from './static-files.ts';
import { namesIn, type PythonType } from './types/python-type.ts';
import { renderTypes, type TypesText } from './types/render-types.ts';
import { createTypeWriter } from './types/type-writer.ts';

interface View {
  /** In a docstring. */
  readonly title: string;
  readonly module: string;
  /** A literal in a docstring. */
  readonly httpUrl: string;
  readonly methods: readonly MethodView[];
  readonly errors: readonly ErrorView[];
  readonly passingCodes: string;
  readonly lastingReasons: string;
  readonly hasCredits: boolean;
}

type Importing = View & { readonly typeImports: string };

const source = <Of>(file: string) => loadTemplate<Of>(import.meta.url, `./templates/${file}.hbs`);

const clientTemplate = source<Importing>('client.py');
const errorsTemplate = source<Importing>('errors.py');
const methodsTemplate = source<View>('methods.py');
const initTemplate = source<View>('init.py');
const typesTemplate = source<TypesText>('types.py');
const readmeTemplate = source<ReadmeView & { readonly banner: string }>('README.md');

/** The Python package of a document: path within the package to text, not formatted. */
export function renderPython(model: Model, options: TargetOptions): Rendered {
  const module = moduleName(model);
  const classes = nameErrors(model);
  const names = nameMethods(model);
  const writer = createTypeWriter(model);
  const methods = model.methods.map((method) =>
    viewMethod(method, names.get(method)!, { types: writer, classes }),
  );
  const errors = viewErrors(classes, writer);
  const types = renderTypes(writer.declarations());
  const readme = viewReadme(model, { module, classes, names });
  const passing = findPassing(classes);
  const view: View = {
    title: docstringText(onOneLine(model.info.title)),
    module,
    httpUrl: docstringText(readme.httpUrl),
    methods,
    errors,
    passingCodes: listLiteral(Object.keys(passing).map(Number)),
    lastingReasons: listLiteral(Object.values(passing).flat()),
    hasCredits: methods.some(({ isPriced }) => isPriced),
  };
  const importing = (used: readonly PythonType[]): Importing => ({
    ...view,
    typeImports: importTypes(used, types.circular),
  });
  const sources: readonly (readonly [string, string])[] = [
    ['__init__.py', initTemplate(view)],
    ['client.py', importUsed(clientTemplate(importing(methods.flatMap((each) => each.types))))],
    ['errors.py', importUsed(errorsTemplate(importing(errors.flatMap((each) => each.types))))],
    ['methods.py', methodsTemplate(view)],
    ['types.py', importUsed(typesTemplate(types))],
    ...readRuntime().map(([name, text]) => [`_runtime/${name}`, text] as const),
  ];
  const banner = bannerText(options);
  return new Map([
    ['pyproject.toml', `# ${banner}\n${renderManifest(model, module)}`],
    ['README.md', readmeTemplate({ ...readme, banner })],
    [`src/${module}/py.typed`, `# ${banner}\n`],
    ...sources.map(([name, text]): [string, string] => [
      `src/${module}/${name}`,
      `# ${banner}\n${text}`,
    ]),
  ]);
}

/** The import of what types.py declares, with the names that types are written with as strings. */
function importTypes(used: readonly PythonType[], circular: readonly string[]): string {
  const names = [...new Set(used.flatMap(namesIn))];
  if (names.length === 0) return '';
  const unnamed = circular.filter((name) => !names.includes(name));
  // "as" says that it is meant, though nothing here names it.
  const all = [...names, ...unnamed.map((name) => `${name} as ${name}`)].toSorted();
  return `from .types import (\n${all.map((name) => `    ${name},\n`).join('')})\n`;
}

/** Leaves out of a module's imports, where they are on one line, what its document has no use for. */
function importUsed(text: string): string {
  return text.replaceAll(
    /^(from (?:typing|\._runtime\.\w+) import )(.+)\n/gm,
    (line, start: string, list: string, at: number) => {
      const rest = text.slice(at + line.length);
      const used = list.split(', ').filter((name) => new RegExp(`\\b${name}\\b`).test(rest));
      return used.length === 0 ? '' : `${start}${used.join(', ')}\n`;
    },
  );
}
