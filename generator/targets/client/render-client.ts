import { loadTemplate } from '../../files/template.ts';
import type { Model } from '../../model/model.ts';
import { bannerLine, bannerText } from '../banner.ts';
import type { Rendered, TargetOptions } from '../target.ts';
import { renderTypes } from '../types/render.ts';
import { literal } from '../literal.ts';
import { exceptionalNames, findPassing, nameErrorClasses } from './error-classes.ts';
import { type ErrorView, viewError } from './error-view.ts';
import { packageName, renderManifest } from './manifest.ts';
import { type MethodView, viewMethod } from './method-view.ts';
import { target as validators } from '../validators/target.ts';
import { type ReadmeView, viewReadme } from './readme-view.ts';
import { createWideTest } from './wide-integers.ts';
import { readCompilerOptions, readRuntime } from './static-files.ts';

interface View {
  readonly packageName: string;
  readonly methods: readonly MethodView[];
  readonly errors: readonly ErrorView[];
  readonly errorNames: string;
  readonly passingCodes: string;
  readonly hasMembers: boolean;
  readonly hasNamed: boolean;
  readonly hasNotifications: boolean;
  readonly hasCredits: boolean;
  /** Whether params decide the type of some result. */
  readonly hasCases: boolean;
  /** Whether some result holds integers beyond 2^53. */
  readonly isWide: boolean;
  /** The type parameter of what depends on how those come. */
  readonly generic: string;
  readonly namesTypes: boolean;
  readonly spreads: boolean;
}

const source = (file: string) => loadTemplate<View>(import.meta.url, `./templates/${file}.hbs`);

const templates = {
  'index.ts': source('index.ts'),
  'client.ts': source('client.ts'),
  'error-catalogue.ts': source('error-catalogue.ts'),
  'errors.ts': source('errors.ts'),
  'method-names.ts': source('method-names.ts'),
  'node.ts': source('node.ts'),
  'routes.ts': source('routes.ts'),
  'runtime/facts.ts': source('facts.ts'),
  'validate.ts': source('validate.ts'),
  'viem.ts': source('viem.ts'),
};
const creditsTemplate = source('credits.ts');
const resultsTemplate = source('results.ts');
const llmsTemplate = loadTemplate<ReadmeView & { readonly banner: string }>(
  import.meta.url,
  './templates/llms.txt.hbs',
);
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
    ...(view.hasCases ? [['results.ts', resultsTemplate(view)] as const] : []),
    ['types.ts', await renderTypes(model)],
    ...readRuntime().map(([name, text]): [string, string] => [`runtime/${name}`, text]),
  ]);
  const banner = bannerLine(options);
  const readme = viewReadme(model, classes);
  return new Map([
    ['package.json', renderManifest(model)],
    ['tsconfig.json', readCompilerOptions()],
    ['README.md', readmeTemplate({ ...readme, banner: bannerText(options) })],
    ['llms.txt', llmsTemplate({ ...readme, banner: bannerText(options) })],
    ...[...sources].map(([name, text]): [string, string] => [`src/${name}`, `${banner}\n${text}`]),
    ...[...(await validators.render(model, options))].map(([name, text]): [string, string] => [
      `src/validation/${name}`,
      text,
    ]),
  ]);
}

async function viewClient(model: Model): Promise<View> {
  const classes = nameErrorClasses(model);
  const typeNames = new Map([...model.schemas].map(([key, { typeName }]) => [key, typeName]));
  const methods: MethodView[] = [];
  const context = { classes, allowsWide: createWideTest(model) };
  for (const method of model.methods) methods.push(await viewMethod(model, method, context));
  const errors: ErrorView[] = [];
  for (const each of classes) errors.push(await viewError(each, typeNames));
  const isWide = methods.some((method) => method.isWide);
  return {
    packageName: packageName(model.info.title),
    methods,
    errors,
    errorNames: literal(Object.fromEntries(exceptionalNames(classes))),
    passingCodes: literal(findPassing(classes)),
    hasMembers: methods.some(({ hasMember }) => hasMember),
    hasNamed: model.methods.some(({ paramStructure }) => paramStructure !== 'by-position'),
    hasNotifications: model.methods.some(({ result }) => result === null),
    hasCredits: methods.some(({ isPriced }) => isPriced),
    hasCases: methods.some(({ cases }) => cases !== ''),
    isWide,
    generic: isWide ? '<Wide = never>' : '',
    namesTypes: errors.some(({ namesTypes }) => namesTypes),
    spreads: errors.some(({ spreads }) => spreads),
  };
}
