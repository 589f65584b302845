import { readdirSync } from 'node:fs';
import { docstringText } from '../../../common/escape/python.ts';
import { onOneLine } from '../../../common/escape/text.ts';
import { loadTemplate, readBeside } from '../../files/template.ts';
import type { Model } from '../../model/model.ts';
import { bannerText } from '../banner.ts';
import { findRetryable, listClassNames } from '../client-view/errors.ts';
import type { Rendered, Target, TargetOptions } from '../target.ts';
import { viewErrors } from './error-view.ts';
import { listLiteral } from './literal.ts';
import { renderManifest } from './manifest.ts';
import { viewMethod } from './method-view.ts';
import { moduleName, nameErrors, nameMethods } from './names.ts';
import { viewReadme } from './readme-view.ts';
import { describeSamples } from './sample.ts';
import { namesIn, type PythonType } from './types/python-type.ts';
import { renderTypes } from './types/render-types.ts';
import { TypeWriter } from './types/type-writer.ts';

const template = (file: string) => loadTemplate(import.meta.url, `./templates/${file}.hbs`);

const clientModule = template('client.py');
const errorsModule = template('errors.py');
const methodsModule = template('methods.py');
const initModule = template('init.py');
const typesModule = template('types.py');
const readmeTemplate = template('README.md');

/** Runtime sources, the same for every document. */
const runtimeFiles = readdirSync(new URL('./runtime/', import.meta.url)).filter((file) =>
  file.endsWith('.py'),
);

/** python/: a package for blocking and asyncio use, over HTTP and WebSocket. */
export const target: Target = {
  name: 'python',
  language: 'python',
  summary: 'a publishable Python package: a typed function per method, blocking and asyncio',
  sample: describeSamples,
  render(model, options) {
    const files = renderPython(model, options);
    return new Map([...files].map(([path, text]) => [`python/${path}`, text]));
  },
};

/** Renders the Python package: path in the package to text. */
export function renderPython(model: Model, options: TargetOptions): Rendered {
  const module = moduleName(model);
  const classes = nameErrors(model);
  const names = nameMethods(model);
  const writer = new TypeWriter(model);
  const context = { model, types: writer, classNames: listClassNames(classes) };
  const methods = model.methods.map((method) => viewMethod(method, names.get(method)!, context));
  const errors = viewErrors(classes, writer);
  const types = renderTypes(writer.declarations);
  const readme = viewReadme(model, { module, classes, names });
  const retryable = findRetryable(classes);
  const view = {
    title: docstringText(onOneLine(model.info.title)),
    module,
    httpUrl: docstringText(readme.httpUrl),
    methods,
    errors,
    retryableCodes: listLiteral(Object.keys(retryable).map(Number)),
    finalReasons: listLiteral(Object.values(retryable).flat()),
    hasCredits: methods.some(({ isPriced }) => isPriced),
  };
  const withImports = (used: readonly { readonly types: readonly PythonType[] }[]) => ({
    ...view,
    typeImports: importTypes(
      used.flatMap((each) => each.types),
      types.circular,
    ),
  });
  const sources: readonly (readonly [string, string])[] = [
    ['__init__.py', initModule(view)],
    ['client.py', removeUnusedImports(clientModule(withImports(methods)))],
    ['errors.py', removeUnusedImports(errorsModule(withImports(errors)))],
    ['methods.py', methodsModule(view)],
    ['types.py', removeUnusedImports(typesModule(types))],
    ...runtimeFiles.map(
      (file) => [`_runtime/${file}`, readBeside(import.meta.url, `./runtime/${file}`)] as const,
    ),
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

/** Imports types, and the names that circular aliases refer to as strings. */
function importTypes(used: readonly PythonType[], circular: readonly string[]): string {
  const names = [...new Set(used.flatMap(namesIn))];
  if (names.length === 0) return '';
  const unnamed = circular.filter((name) => !names.includes(name));
  // "as" marks an import that is not used by name as intended.
  const all = [...names, ...unnamed.map((name) => `${name} as ${name}`)].toSorted();
  return `from .types import (\n${all.map((name) => `    ${name},\n`).join('')})\n`;
}

/** Removes unused names from one-line imports of a rendered module. */
function removeUnusedImports(text: string): string {
  // Text of the document may look like an import: no part of it becomes a pattern, and it is read once.
  const lastUses = new Map(
    Array.from(text.matchAll(/\w+/g), ({ 0: word, index }) => [word, index] as const),
  );
  return text.replaceAll(
    /^(from (?:typing|\._runtime\.\w+) import )(\w+(?:, \w+)*)\n/gm,
    (line, start: string, list: string, at: number) => {
      const used = list.split(', ').filter((name) => lastUses.get(name)! >= at + line.length);
      return used.length === 0 ? '' : `${start}${used.join(', ')}\n`;
    },
  );
}
