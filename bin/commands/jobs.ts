import { existsSync } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { DocumentError, unusable, wholeFile } from '../../common/diagnostic.ts';
import type { LoadOptions } from '../../generator/document.ts';
import { baseNameOf, type TextReader } from '../../generator/files/text.ts';
import { renderTargets } from '../../generator/output/render.ts';
import { loadProject } from '../../generator/project/load.ts';
import { isGenerated, isSite } from '../../generator/project/schema.ts';
import { loadTargets } from '../../generator/targets/index.ts';
import type { Rendered, Target } from '../../generator/targets/target.ts';
import { openDocument, type OpenOptions } from './open-document.ts';
import { warnOfSlowPatterns } from './slow-patterns.ts';
import { createProgress } from './verb.ts';

/** A document, what to generate from it, and the output folder. */
export interface Job {
  /** Path, URL or "-". */
  readonly document: string;
  readonly out: string;
  readonly targets: readonly Target[];
  /** Whether the folder holds only files of these targets. */
  readonly isWhole: boolean;
  readonly loading: OpenOptions;
  /** Inputs of the documentation site; null for code. */
  readonly site: SiteInputs | null;
}

/** The inputs of a documentation site besides its document. */
interface SiteInputs {
  readonly guides?: string;
  readonly changelog?: string;
  readonly releases?: string;
  readonly base?: string;
}

export const siteInputs = ['guides', 'changelog', 'releases', 'base'] as const;

/** The command-line options that define jobs. */
export interface JobOptions extends SiteInputs, LoadOptions {
  readonly out?: string;
  readonly target?: readonly string[];
  readonly config?: string;
}

/** Language of the default targets. */
const DEFAULT_LANGUAGE = 'typescript';

/**
 * Plans the job that the command line describes. If it names neither a document nor a folder, plans one
 * for each document of the project file or, if there is no project file, one for openrpc.json.
 *
 * @throws DocumentError when the project file cannot be used
 */
export async function planJobs(
  spec: string | undefined,
  options: JobOptions,
  reader?: TextReader,
): Promise<readonly Job[]> {
  const { out, target, config, lenient = false, allowRemote = false } = options;
  const { resolve = [] } = options;
  const named = options.packageName === undefined ? {} : { packageName: options.packageName };
  const wantsSite = target?.includes('docs') === true;
  const isWhole = target === undefined;
  const all = await loadTargets();
  const chosen = (names: readonly string[] | undefined) =>
    all.filter(({ name, language }) => names?.includes(name) ?? language === DEFAULT_LANGUAGE);
  const isNamed = spec !== undefined || out !== undefined;
  const project = isNamed && config === undefined ? null : await readProject(config, reader);
  const listed = project?.documents.filter(
    (each) => isGenerated(each) && (isWhole || isSite(each) === wantsSite),
  );
  if (listed === undefined || (wantsSite && listed.length === 0)) {
    const ownFolder = wantsSite ? 'docs' : 'generated';
    if (out === undefined) await rejectOutside('.', [ownFolder]);
    return [
      {
        document: spec ?? 'openrpc.json',
        out: out ?? ownFolder,
        targets: chosen(target),
        isWhole,
        // Broken parts do not prevent a site: they are left out, with a warning.
        loading: { lenient: lenient || wantsSite, allowRemote, config, resolve, ...named },
        site: wantsSite ? inputsOf(options) : null,
      },
    ];
  }
  await rejectOutside(
    dirname(project!.file),
    listed.map((each) => each.out),
  );
  return listed.map((each) => ({
    document: each.document,
    out: each.out,
    targets: chosen(each.targets ?? target).filter(({ name }) => target?.includes(name) ?? true),
    isWhole,
    loading: {
      lenient: lenient || each.options.lenient || isSite(each),
      allowRemote,
      config,
      resolve,
      ...(each.options.package_name === undefined
        ? {}
        : { packageName: each.options.package_name }),
      ...named,
    },
    site: isSite(each) ? { ...inputsOf(each.options), ...inputsOf(options) } : null,
  }));
}

/**
 * Rejects output folders outside the repository of `folder` (or outside `folder`, if it is not in a
 * repository), including folders reached through a symbolic link: the author of a project file must not
 * be able to write anywhere on the user's disk.
 *
 * @throws DocumentError for the first such folder
 */
async function rejectOutside(folder: string, outs: readonly string[]): Promise<void> {
  const root = repositoryOf(await realpath(folder));
  for (const out of outs) {
    const real = await realOf(resolve(out));
    const path = real === null ? '..' : relative(root, real);
    if (path.split(sep)[0] !== '..' && !isAbsolute(path)) continue;
    const message = 'this folder is outside the project; nothing was written';
    const fix = 'choose another folder, or pass this one on the command line (--out)';
    throw new DocumentError([unusable(wholeFile(out), { message, fix })]);
  }
}

/** Returns the closest folder that holds `.git`, or the folder itself if none does. */
function repositoryOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return folder;
  }
}

/**
 * Returns the path, without symbolic links, of a folder that need not exist yet; null if it leads through a
 * link to nothing, which may lead anywhere once another document is generated.
 */
async function realOf(path: string): Promise<string | null> {
  const real = await realpath(path).catch(() => null);
  if (real !== null || dirname(path) === path) return real ?? path;
  if ((await lstat(path).catch(() => null)) !== null) return null;
  const above = await realOf(dirname(path));
  return above && join(above, basename(path));
}

function inputsOf(
  options: Readonly<Partial<Record<keyof SiteInputs, string | undefined>>>,
): SiteInputs {
  const given = siteInputs.filter((name) => options[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, options[name]]));
}

async function readProject(file: string | undefined, reader: TextReader | undefined) {
  const project = await loadProject(file, process.cwd(), reader);
  if (project === null || project.documents.length > 0) return project;
  const message = 'the list of documents is empty';
  const fix = 'list one under "documents", or name it on the command line';
  const location = { file: project.file, line: 1, column: 1, pointer: '/documents' };
  throw new DocumentError([unusable(location, { message, fix })]);
}

/** Targets with validators, which execute the patterns of the document. */
const RUN_PATTERNS = new Set(['validators', 'server', 'client']);

/** Renders the targets of a job and returns the text of each file by path. */
export async function renderJob(
  { document, targets, loading }: Job,
  reader?: TextReader,
): Promise<Rendered> {
  const progress = createProgress();
  try {
    progress.step(`reading ${document}`);
    const loaded = await openDocument(document, loading, reader);
    if (targets.some(({ name }) => RUN_PATTERNS.has(name))) warnOfSlowPatterns(loaded);
    const source = baseNameOf(document);
    return await renderTargets(loaded.model, targets, { source, onStep: progress.step });
  } finally {
    progress.end();
  }
}
