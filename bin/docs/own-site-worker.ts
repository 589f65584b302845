import { buildOwnSite } from './own-site.ts';

await buildOwnSite();
