import { posix } from 'node:path';

/** `file` from `root` on, with slashes, where it is below it; otherwise as it is, or from `/` on. */
export function toRelative(file: string, root: string): string {
  const path = file.replaceAll('\\', '/');
  const folder = `${root.replaceAll('\\', '/').replace(/\/$/, '')}/`;
  const full = path.startsWith('../') ? posix.normalize(folder + path) : path;
  return (full.startsWith(folder) ? full.slice(folder.length) : full).replace(/^(?:\.\/)+/, '');
}
