import { readdirSync } from 'node:fs';
import { loadTemplate, readBeside } from '../../files/template.ts';
import type { Model } from '../../model/model.ts';
import { bannerLine, bannerText } from '../banner.ts';
import { findRetryable, listClassNames, nameErrorClasses } from '../client-view/errors.ts';
import { declaredBy } from '../client-view/methods.ts';
import { packageName } from '../client-view/package.ts';
import { literal } from '../literal.ts';
import type { Rendered, Target, TargetOptions } from '../target.ts';
import { target as types } from '../types/target.ts';
import { target as validators } from '../validators/target.ts';
import { explicitErrorNames, viewError } from './error-view.ts';
import { renderManifest } from './manifest.ts';
import { viewMethod } from './method-view.ts';
import { viewReadme } from './readme-view.ts';
import { describeSamples } from './sample.ts';
import { createWideTest } from './wide-integers.ts';

const template = (file: string) => loadTemplate(import.meta.url, `./templates/${file}.hbs`);

const sourceNames =
  'index.ts client.ts error-catalog.ts errors.ts method-names.ts node.ts routes.ts runtime/facts.ts validate.ts';

const sources = new Map(
  sourceNames.split(' ').map((name) => [name, template(name.replace('runtime/', ''))]),
);
const credits = template('credits.ts');
const viem = template('viem.ts');
const results = template('results.ts');
const llms = template('llms.txt');
const readme = template('README.md');

/** Runtime sources, the same for every document. facts.ts is rendered from the document. */
const runtimeFiles = readdirSync(new URL('./runtime/', import.meta.url)).filter((file) =>
  /(?<!\.d|^facts)\.ts$/.test(file),
);

/** client/: a package with a function per method over HTTP and WebSocket. */
export const target: Target = {
  name: 'client',
  language: 'typescript',
  summary: 'a publishable client package: a typed function per method, HTTP and WebSocket',
  sample: describeSamples,
  async render(model, options) {
    const files = await renderClient(model, options);
    return new Map([...files].map(([path, text]) => [`client/${path}`, text]));
  },
};

/** Renders the client package, unformatted: path in the package to text. */
export async function renderClient(model: Model, options: TargetOptions): Promise<Rendered> {
  const view = await viewClient(model);
  const files = new Map([
    ...[...sources].map(([name, write]): [string, string] => [name, write(view)]),
    ...(view.hasCredits ? [['credits.ts', credits(view)] as const] : []),
    ...(view.isEvm ? [['viem.ts', viem(view)] as const] : []),
    ...(view.hasCases ? [['results.ts', results(view)] as const] : []),
    ...runtimeFiles
      .filter((file) => view.isSvm || file !== 'solana-kit.ts')
      .map((file): [string, string] => [
        `runtime/${file}`,
        readBeside(import.meta.url, `./runtime/${file}`),
      ]),
  ]);
  const documentation = { ...viewReadme(model), banner: bannerText(options) };
  const typing = await types.render(model, options);
  const validation = await validators.render(model, options);
  return new Map([
    ['package.json', renderManifest(model)],
    ['tsconfig.json', readBeside(import.meta.url, './templates/tsconfig.json')],
    ['README.md', readme(documentation)],
    ['llms.txt', llms(documentation)],
    ...[...files].map(([path, text]): [string, string] => [
      `src/${path}`,
      `${bannerLine(options)}\n${text}`,
    ]),
    ...[...typing].map(([path, text]): [string, string] => [`src/${path}`, text]),
    ...[...validation].map(([path, text]): [string, string] => [`src/validation/${path}`, text]),
  ]);
}

async function viewClient(model: Model) {
  const classes = nameErrorClasses(model);
  const context = { classNames: listClassNames(classes), allowsWide: createWideTest(model) };
  const methods = await Promise.all(
    model.methods.map((method) => viewMethod(model, method, context)),
  );
  const declared = declaredBy(model);
  const errors = await Promise.all(classes.map((each) => viewError(each, model, declared)));
  const explicitNames = explicitErrorNames(classes);
  const isWide = methods.some((method) => method.isWide);
  return {
    packageName: packageName(model),
    methods,
    errors,
    errorNames: literal(Object.fromEntries(explicitNames)),
    hasReasonNames: [...explicitNames.keys()].some((key) => key.includes(' ')),
    retryableCodes: literal(findRetryable(classes)),
    hasMembers: methods.some(({ hasMember }) => hasMember),
    hasNamed: model.methods.some(({ paramStructure }) => paramStructure !== 'by-position'),
    hasNotifications: model.methods.some(({ result }) => result === null),
    ...declared,
    hasCases: methods.some(({ cases }) => cases !== ''),
    isWide,
    generic: isWide ? '<Wide = never>' : '',
    namesTypes: errors.some(({ namesTypes }) => namesTypes),
    spreads: errors.some(({ spreads }) => spreads),
  };
}
