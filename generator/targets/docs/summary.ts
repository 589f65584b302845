/** What `--help` says of the target; apart from it, since it is loaded only when it is used. */
export const docsSummary = 'a documentation site, with search and a Markdown twin of every page';
