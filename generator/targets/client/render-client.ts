import { loadTemplate } from '../../files/template.ts';
import type { Model } from '../../model/model.ts';
import { bannerLine, bannerText } from '../banner.ts';
import type { Rendered, TargetOptions } from '../target.ts';
import { renderTypes } from '../types/render.ts';
import { nameErrorClasses } from './error-classes.ts';
import { type ErrorView, viewError } from './error-view.ts';
import { packageName, renderManifest } from './manifest.ts';
import { type MethodView, viewMethod } from './method-view.ts';
import { type ReadmeView, viewReadme } from './readme-view.ts';
import { readCompilerOptions, readRuntime } from './static-files.ts';

interface View {
  readonly packageName: string;
  readonly methods: readonly MethodView[];
  readonly errors: readonly ErrorView[];
  readonly hasCredits: boolean;
  readonly hasRevert: boolean;
  readonly hasPlainErrors: boolean;
  readonly namesTypes: boolean;
}

const source = (file: string) => loadTemplate<View>(import.meta.url, `./templates/${file}.hbs`);

const templates = {
  'index.ts': source('index.ts'),
  'client.ts': source('client.ts'),
  'errors.ts': source('errors.ts'),
  'method-names.ts': source('method-names.ts'),
  'routes.ts': source('routes.ts'),
};
const creditsTemplate = source('credits.ts');
const readmeTemplate = loadTemplate<ReadmeView & { readonly banner: string }>(
  import.meta.url,
  './templates/README.md.hbs',
);

/** The client package of a document: path within the package to text, not formatted. */
export async function renderClient(model: Model, options: TargetOptions): Promise<Rendered> {
  const classes = nameErrorClasses(model);
  const view = await viewClient(model);
  const sources = new Map([
    ...Object.entries(templates).map(([name, write]): [string, string] => [name, write(view)]),
    ...(view.hasCredits ? [['credits.ts', creditsTemplate(view)] as const] : []),
    ['types.ts', await renderTypes(model)],
    ...readRuntime().map(([name, text]): [string, string] => [`runtime/${name}`, text]),
  ]);
  const banner = bannerLine(options);
  return new Map([
    ['package.json', renderManifest(model)],
    ['tsconfig.json', readCompilerOptions()],
    ['README.md', readmeTemplate({ ...viewReadme(model, classes), banner: bannerText(options) })],
    ...[...sources].map(([name, text]): [string, string] => [`src/${name}`, `${banner}\n${text}`]),
  ]);
}

async function viewClient(model: Model): Promise<View> {
  const classes = nameErrorClasses(model);
  const typeNames = new Map([...model.schemas].map(([key, { typeName }]) => [key, typeName]));
  const methods = model.methods.map((method) => viewMethod(method, classes));
  const errors: ErrorView[] = [];
  for (const each of classes) errors.push(await viewError(each, typeNames));
  return {
    packageName: packageName(model.info.title),
    methods,
    errors,
    hasCredits: methods.some(({ isPriced }) => isPriced),
    hasRevert: classes.some(({ isRevert }) => isRevert),
    hasPlainErrors: classes.some(({ isRevert }) => !isRevert),
    namesTypes: errors.some(({ namesTypes }) => namesTypes),
  };
}
