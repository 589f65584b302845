/** `file` from `root` on, with slashes, where it is below it; otherwise as it is. */
export function toRelative(file: string, root: string): string {
  const path = file.replaceAll('\\', '/');
  const folder = `${root.replaceAll('\\', '/').replace(/\/$/, '')}/`;
  return (path.startsWith(folder) ? path.slice(folder.length) : path).replace(/^(?:\.\/)+/, '');
}
