/** Where a site will be put. */
export interface SitePlace {
  /** The path the site is put below, with a slash at both ends; only its 404.html has to know it. */
  readonly base?: string;
}

/** What a `base` looks like. */
export const BASE = /^\/(?:[\w.~%-]+\/)*$/;
