import type { Page } from '../page.ts';
import type { Workshop } from '../page-tools.ts';
import { creditsPage } from './credits.ts';
import { decisionsPage } from './decisions.ts';
import { errorsPage } from './errors.ts';
import { guidePage } from './guide.ts';
import { methodPage } from './method.ts';
import { networksPage } from './networks.ts';
import { overviewPage } from './overview.ts';
import { findTypeUsers, typePage, typesPage } from './types.ts';

/** Every page of the site; what the document does not speak of has none. */
export function makePages(workshop: Workshop): readonly Page[] {
  const { site } = workshop;
  const { model, guides } = site;
  const users = findTypeUsers(workshop);
  return [
    overviewPage(workshop),
    ...guides.map((guide) => guidePage(guide, workshop)),
    ...model.methods.map((method) => methodPage(method, workshop)),
    ...(model.schemas.size > 0 ? [typesPage(workshop)] : []),
    ...[...model.schemas.values()].map((schema) => typePage(schema, workshop, users)),
    ...(model.errors.length > 0 ? [errorsPage(workshop)] : []),
    ...(site.hasCredits ? [creditsPage(workshop)] : []),
    ...(site.networks.length > 0 ? [networksPage(workshop)] : []),
    ...(site.hasDecisions ? [decisionsPage(workshop)] : []),
  ];
}
