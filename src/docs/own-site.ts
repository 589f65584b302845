import { fileURLToPath } from 'node:url';

/** Where the site of this service is built: in the repository and in the published package alike. */
export const ownSite = fileURLToPath(new URL('../../docs-site/dist', import.meta.url));
