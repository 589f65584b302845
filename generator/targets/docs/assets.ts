/** The hand-written parts of a site, passed in so that rendering is pure. */
export interface DocsAssets {
  /** Handlebars templates by name (without ".hbs"), which can include one another. */
  readonly templates: ReadonlyMap<string, string>;
  /** Files to copy, such as styles: path to text. */
  readonly files: ReadonlyMap<string, string>;
  readonly guides: readonly GuideSource[];
}

/** A hand-written page. */
export interface GuideSource {
  /** Path in the folder of guides and in the site: "guides/start.md". */
  readonly path: string;
  /** Markdown with optional front matter: `title`, `summary` and `order`. */
  readonly text: string;
}

export interface SitePlace {
  /** Path of the site on its host, with a slash at both ends. Only 404.html depends on it. */
  readonly base?: string;
}

/** The form of a `base`. */
export const BASE = /^\/(?:[\w.~%-]+\/)*$/;

/** The line for `--help`. Here because the target itself is loaded only when it is used. */
export const docsSummary = 'a documentation site with search and a Markdown version of every page';
