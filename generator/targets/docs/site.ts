import type { Model } from '../../model/model.ts';
import { fragmentOf } from './ids.ts';
import { networksOf, type NetworkFacts } from './networks.ts';
import { createSlugs } from './slug.ts';
import { readGuides, type Guide } from './guides.ts';
import type { GuideSource } from './assets.ts';

/** What every page may ask: which pages there are, and where. Paths are relative to the site. */
export interface Site {
  readonly model: Model;
  /** Of the document; a document may leave it empty, a page may not. */
  readonly title: string;
  readonly guides: readonly Guide[];
  readonly networks: readonly NetworkFacts[];
  readonly hasCredits: boolean;
  readonly hasDecisions: boolean;
  /** Without extension: "methods/eth_getProof" is the page, its Markdown twin and its data. */
  methodPath(name: string): string;
  typePath(name: string): string;
  /** The page of a method called so, or null. */
  findMethod(name: string): string | null;
  /** The place of an error in the catalogue by its reason or name, or null. */
  findError(name: string): string | null;
}

export function createSite(model: Model, guideSources: readonly GuideSource[]): Site {
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
  const decisions = model.extensions['x-decisions'];
  return {
    model,
    title: model.info.title.trim() === '' ? 'API reference' : model.info.title,
    guides: readGuides(guideSources),
    networks: networksOf(model),
    hasCredits: model.methods.some(({ extensions }) => typeof extensions['x-credits'] === 'number'),
    hasDecisions: Array.isArray(decisions) && decisions.length > 0,
    methodPath: (name) => methods.get(name)!,
    typePath: (name) => types.get(name)!,
    findMethod(name) {
      const path = methods.get(name);
      return path === undefined ? null : `${path}.html`;
    },
    findError: (name) => errors.get(name) ?? null,
  };
}

/** The way from the folder of a page up to the root of the site: "", "../", … */
export function rootFrom(path: string): string {
  return '../'.repeat(path.split('/').length - 1);
}
