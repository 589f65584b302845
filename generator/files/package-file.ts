import { createRequire } from 'node:module';
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Returns the path of the main file of an installed package, or of a file in it; null if there is none. */
export function findPackageFile(name: string, from: string): string | null {
  try {
    const path = createRequire(pathToFileURL(from)).resolve(name);
    // The modules of Node have a name instead of a path.
    return isAbsolute(path) ? path : null;
  } catch {
    return null;
  }
}
