import { DocumentError, unusable } from '../../common/diagnostic.ts';
import { loadProject } from '../../generator/project/load.ts';
import type { TextReader } from '../../generator/files/text.ts';
import { isSite } from '../../generator/project/schema.ts';
import { loadTargets } from '../../generator/targets/index.ts';
import type { Target } from '../../generator/targets/target.ts';

/** One document, what is made of it, and where that goes. */
export interface Job {
  /** Path, URL or "-". */
  readonly document: string;
  readonly out: string;
  readonly targets: readonly Target[];
  /** True when nothing but what these targets write belongs into the folder. */
  readonly isWhole: boolean;
  /** True where references that cannot be followed may be left open. */
  readonly allowUnresolved: boolean;
  /** True where references may lead to any origin. */
  readonly allowRemote: boolean;
  /** What the documentation site is made with; null where code is generated. */
  readonly site: SiteOptions | null;
}

/** What a documentation site takes in beside its document. */
export interface SiteOptions {
  readonly guides?: string | undefined;
  readonly changelog?: string | undefined;
  readonly releases?: string | undefined;
  readonly base?: string | undefined;
}

/** What the command line says of jobs. */
export interface JobOptions extends SiteOptions {
  readonly out?: string;
  readonly target?: readonly string[];
  readonly config?: string;
  readonly allowUnresolved?: boolean;
  readonly allowRemote?: boolean;
}

/** Language of the targets that are written where none is named. */
const DEFAULT_LANGUAGE = 'typescript';

/**
 * What there is to do: what the command line names or, where it names neither a document nor a
 * folder, every document of the project file, or else openrpc.json.
 *
 * @throws DocumentError when the project file cannot be used
 */
export async function planJobs(
  spec: string | undefined,
  options: JobOptions,
  reader?: TextReader,
): Promise<readonly Job[]> {
  const { out, target, config, guides, changelog, releases, base } = options;
  const { allowUnresolved = false, allowRemote = false } = options;
  const wantsSite = target?.includes('docs') === true;
  const all = await loadTargets();
  const chosen = (names: readonly string[] | undefined) =>
    all.filter(({ name, language }) => names?.includes(name) ?? language === DEFAULT_LANGUAGE);
  const isNamed = spec !== undefined || out !== undefined;
  const project = isNamed && config === undefined ? null : await readProject(config, reader);
  const listed = project?.documents.filter(
    (each) => target === undefined || isSite(each) === wantsSite,
  );
  if (listed === undefined || (wantsSite && listed.length === 0)) {
    return [
      {
        document: spec ?? 'openrpc.json',
        out: out ?? (wantsSite ? 'docs' : 'generated'),
        targets: chosen(target),
        isWhole: target === undefined,
        allowUnresolved,
        allowRemote,
        site: wantsSite ? { guides, changelog, releases, base } : null,
      },
    ];
  }
  return listed.map((each) => ({
    document: each.document,
    out: each.out,
    targets: chosen(each.targets ?? target).filter(({ name }) => target?.includes(name) ?? true),
    isWhole: target === undefined,
    allowUnresolved: allowUnresolved || each.options.allow_unresolved,
    allowRemote,
    site: isSite(each)
      ? {
          guides: guides ?? each.options.guides,
          changelog: changelog ?? each.options.changelog,
          releases: releases ?? each.options.releases,
          base: base ?? each.options.base,
        }
      : null,
  }));
}

async function readProject(file: string | undefined, reader: TextReader | undefined) {
  const project = await loadProject({
    ...(file !== undefined && { file }),
    ...(reader !== undefined && { reader }),
  });
  if (project === null || project.documents.length > 0) return project;
  const message = 'it names no document to generate from';
  const fix = 'list one under "documents", or name it on the command line';
  const location = { file: project.file, line: 1, column: 1, pointer: '/documents' };
  throw new DocumentError([unusable(location, { message, fix })]);
}
