import { randomUUID } from 'node:crypto';
import { chmod, lstat, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { type Diagnostic, DocumentError, unusable, wholeFile } from '../../common/diagnostic.ts';

/** The permission bits of a file's mode. */
const PERMISSIONS = 0o777;

/**
 * Rejects paths of files, relative to `folder`, that are a symbolic link or lead through one: a
 * repository may hold links to any file of the user who generates into it. Rejects devices, pipes and
 * sockets too, which must not be replaced, files where a folder is expected, and folders where a file is
 * expected.
 *
 * @throws DocumentError naming each of them
 */
export async function refuseSpecialFiles(
  folder: string,
  paths: readonly string[],
  instead = 'choose another folder (--out)',
): Promise<void> {
  const wanted = new Map<string, 'file' | 'folder'>();
  for (const path of paths) {
    const tokens = normalize(path).split(/[/\\]/);
    for (const index of tokens.keys()) {
      const isLast = index === tokens.length - 1;
      wanted.set(join(folder, ...tokens.slice(0, index + 1)), isLast ? 'file' : 'folder');
    }
  }
  const diagnostics: Diagnostic[] = [];
  for (const [path, kind] of wanted) {
    const found = await lstat(path).catch(() => null);
    if (found === null) continue;
    if (found.isSymbolicLink()) diagnostics.push(linkProblem(path, instead));
    else if (!found.isFile() && !found.isDirectory()) {
      diagnostics.push(specialProblem(path, instead));
    } else if (found.isDirectory() !== (kind === 'folder')) {
      diagnostics.push(kindProblem(path, kind, instead));
    }
  }
  if (diagnostics.length > 0) throw new DocumentError(diagnostics);
}

/**
 * Writes a file by renaming a temporary one: the target of a link or hard link stays unchanged, and no
 * reader sees half a file. Permissions are kept.
 *
 * @throws DocumentError when the folder is not `realFolder`, because a link replaced it meanwhile
 */
export async function replaceFile(
  target: string,
  contents: string | Uint8Array,
  realFolder: string,
): Promise<void> {
  const temporary = join(dirname(target), `.specgate-${randomUUID()}`);
  const before = await lstat(target).catch(() => null);
  try {
    await writeFile(temporary, contents, { flag: 'wx' });
    if ((await realpath(dirname(target))) !== realFolder) {
      throw new DocumentError([linkProblem(dirname(target), 'write elsewhere')]);
    }
    if (before?.isFile() === true) await chmod(temporary, before.mode & PERMISSIONS);
    await rename(temporary, target);
  } catch (error) {
    // This also fails if a file is in the place of the folder.
    await rm(temporary, { force: true }).catch(() => {});
    // The user does not know the temporary file.
    if (error instanceof Error && 'path' in error) error.path = target;
    throw error;
  }
}

function linkProblem(file: string, instead: string): Diagnostic {
  const message = 'this is a symbolic link, which is not followed; nothing was written';
  const fix = `remove the link, or ${instead}`;
  return unusable(wholeFile(file), { message, fix });
}

function specialProblem(file: string, instead: string): Diagnostic {
  const message = 'this is a device, a pipe or a socket, not a file: nothing was written';
  const fix = `remove it, or ${instead}`;
  return unusable(wholeFile(file), { message, fix });
}

/** Reports a file where a folder is expected, or the reverse. */
export function kindProblem(path: string, kind: 'file' | 'folder', instead: string): Diagnostic {
  const other = kind === 'file' ? 'folder' : 'file';
  const message = `expected a ${kind}, got a ${other}: nothing was written`;
  const fix = `move or remove the ${other}, or ${instead}`;
  return unusable(wholeFile(path), { message, fix });
}
