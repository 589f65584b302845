import { createHash } from 'node:crypto';
import { isObject } from '../../../common/json/value.ts';
import type { SampleMethod } from '../../../common/samples/sample.ts';
import type { MethodModel, Model } from '../../model/model.ts';
import { listAt } from '../../schema/document-schemas.ts';
import { schemasIn } from '../../schema/subschemas.ts';
import type { Target } from '../target.ts';
import type { GuideSource } from './assets.ts';
import { readGuides, type Guide } from './guides.ts';
import { fragmentOf } from './html.ts';
import { networksOf, type NetworkFacts } from './networks.ts';
import { factsOfMethod } from './pages/method-facts.ts';

/** The pages of a site and the facts that pages share. Paths are relative to the site. */
export interface Site {
  readonly model: Model;
  /** Not empty. */
  readonly title: string;
  readonly guides: readonly Guide[];
  readonly networks: readonly NetworkFacts[];
  readonly hasCredits: boolean;
  readonly hasDecisions: boolean;
  readonly hasServiceMethods: boolean;
  /** After this many schemas on a page, components are linked. */
  readonly maxUnfolded: number;
  /** Returns the number of schemas and values that a component lists. */
  sizeOf(component: string): number;
  /** Checks whether a path without extension is the page of a guide, method or type. */
  hasPage(path: string): boolean;
  /** Path without extension of a method's page, Markdown and data: "methods/eth_getProof". */
  methodPath(name: string): string;
  typePath(name: string): string;
  /** Returns the page of a method by name, or null. */
  findMethod(name: string): string | null;
  /** Returns the link to an error of the catalog by reason or name, or null. */
  findError(name: string): string | null;
  /** Returns the facts of a method that code samples need. */
  sampleMethod(method: MethodModel): SampleMethod;
}

/**
 * Maximum number of schemas that one page unfolds. Larger components are shown on their own page only.
 */
export const MAX_UNFOLDED_ON_PAGE = 300;

/**
 * Maximum number of schemas that all pages unfold together. The more pages a site has, the less each of
 * them repeats what others show, so that the size of a site is proportional to its document.
 */
const MAX_UNFOLDED = 90_000;

export function createSite(
  model: Model,
  guideSources: readonly GuideSource[],
  targets: readonly Target[],
): Site {
  const methodSlug = createSlugs();
  const typeSlug = createSlugs(['index']);
  const methods = new Map(model.methods.map(({ name }) => [name, `methods/${methodSlug(name)}`]));
  const types = new Map([...model.schemas.keys()].map((name) => [name, `types/${typeSlug(name)}`]));
  const errors = new Map<string, string>();
  for (const error of model.errors) {
    const place = `errors.html${fragmentOf(error.name)}`;
    errors.set(error.name, place);
    if (error.reason !== null && !errors.has(error.reason)) errors.set(error.reason, place);
  }
  const guides = readGuides(guideSources);
  const paths = new Set([
    ...guides.map(({ path }) => path),
    ...methods.values(),
    ...types.values(),
  ]);
  const share = Math.floor(MAX_UNFOLDED / Math.max(1, paths.size));
  return {
    model,
    title: model.info.title.trim() === '' ? 'API reference' : model.info.title,
    guides,
    networks: networksOf(model),
    hasCredits: model.methods.some(({ extensions }) => typeof extensions['x-credits'] === 'number'),
    hasDecisions: listAt(model.extensions, 'x-decisions').length > 0,
    hasServiceMethods: listAt(model.extensions, 'x-service-methods').length > 0,
    maxUnfolded: Math.min(MAX_UNFOLDED_ON_PAGE, share),
    sizeOf: createSizes(model),
    hasPage: (path) => paths.has(path),
    methodPath: (name) => methods.get(name)!,
    typePath: (name) => types.get(name)!,
    findMethod: (name) => (methods.has(name) ? `${methods.get(name)}.html` : null),
    findError: (name) => errors.get(name) ?? null,
    sampleMethod: createSampleMethod(model, targets),
  };
}

function createSizes({ schemas }: Model): Site['sizeOf'] {
  const sizes = new Map<string, number>();
  for (const { name, schema } of schemas.values()) {
    const parts = [...schemasIn(schema)];
    const values = parts.map((part) => (isObject(part) ? listLength(part['enum']) : 0));
    sizes.set(
      name,
      values.reduce((sum, count) => sum + count, parts.length),
    );
  }
  return (component) => sizes.get(component) ?? 0;
}

function listLength(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

export function createSampleMethod(model: Model, targets: readonly Target[]): Site['sampleMethod'] {
  const clients = targets.flatMap(({ name, language, sample }) =>
    sample === undefined || language === null ? [] : [{ id: name, language, of: sample(model) }],
  );
  return (method) => {
    const { family, transports } = factsOfMethod(method);
    const samples = clients.map(({ id, language, of }) => ({ id, language, ...of(method) }));
    return { name: method.name, family, transports, samples };
  };
}

/** Returns the relative path from a page to the root of the site: "", "../", … */
export function rootFrom(path: string): string {
  return '../'.repeat(path.split('/').length - 1);
}

/** Longer names are cut: file systems limit their length. */
const MAX_CHARACTERS = 80;

/**
 * Creates unique file names for methods and schemas. Safe characters stay, others become `~` and their
 * code. A name that is cut, reserved, or equal to an earlier one except for case gets part of its
 * SHA-256 as a suffix.
 */
function createSlugs(reserved: readonly string[] = []) {
  const taken = new Set(reserved);
  return (name: string): string => {
    const plain = name.replaceAll(
      /[^A-Za-z0-9_.-]|^\./gu,
      (character) => `~${character.codePointAt(0)!.toString(16)}`,
    );
    const cut = plain.slice(0, MAX_CHARACTERS);
    const isFree = cut !== '' && cut === plain && !taken.has(cut.toLowerCase());
    const digest = createHash('sha256').update(name).digest('hex').slice(0, 10);
    const slug = isFree ? cut : `${cut}~~${digest}`;
    taken.add(slug.toLowerCase());
    return slug;
  };
}
