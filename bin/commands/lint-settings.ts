import { dirname } from 'node:path';
import { DocumentError, unusable, wholeFile } from '../../common/diagnostic.ts';
import { joinPointer } from '../../common/json/pointer.ts';
import { createTextReader } from '../../generator/files/text.ts';
import type { Preset, RuleLevel } from '../../generator/lint/rule.ts';
import { rules } from '../../generator/lint/rules.ts';
import type { LintConfig } from '../../generator/lint/schema.ts';
import { activeRules, findSettingErrors, unknownRule } from '../../generator/lint/settings.ts';
import { loadProject, type LoadedProject } from '../../generator/project/load.ts';
import { parseSource } from '../../generator/source/parse.ts';

/** Options of the command line for rules and documents. */
export interface LintOptions {
  readonly config?: string;
  readonly extends?: Preset;
  readonly rule?: Readonly<Record<string, RuleLevel>>;
  readonly baseline?: string;
}

/** The file of known findings. */
export interface BaselineFile {
  readonly file: string;
  /** The folder below which links are not followed: a repository may hold them. */
  readonly folder: string;
  /** Whether only the project file names it: it may not have been written yet. */
  readonly mayBeMissing: boolean;
}

/** Returns the levels of the project file and the command line, and the documents of the project. */
export async function readLintSettings(options: LintOptions) {
  const project = await loadProject(options.config);
  const own: LintConfig = project?.lint ?? {};
  const errors = findSettingErrors(own);
  if (project !== null && errors.length > 0) {
    const { file } = project;
    const source = parseSource(await createTextReader().read(file));
    throw new DocumentError(
      errors.map(({ path, ...says }) => {
        const pointer = ['lint', ...path].reduce(joinPointer, '');
        return unusable({ file, ...source.positionOf(pointer), pointer }, says);
      }),
    );
  }
  const custom = own.custom ?? [];
  for (const id of Object.keys(options.rule ?? {})) {
    if (custom.every((rule) => rule.id !== id)) findRule(id, '--rule');
  }
  const active = activeRules({
    extends: options.extends ?? own.extends ?? 'recommended',
    rules: { ...own.rules, ...options.rule },
    custom,
  });
  const documents = project?.documents.map(({ document }) => document) ?? [];
  return {
    active,
    documents: documents.length > 0 ? documents : ['openrpc.json'],
    baseline: findBaseline(options.baseline, project),
  };
}

function findBaseline(
  named: string | undefined,
  project: LoadedProject | null,
): BaselineFile | null {
  if (named !== undefined) return { file: named, folder: dirname(named), mayBeMissing: false };
  const file = project?.lint.baseline;
  return file === undefined ? null : { file, folder: dirname(project!.file), mayBeMissing: true };
}

/** @throws DocumentError for an unknown id, with the most similar one */
export function findRule(id: string, option: string) {
  const rule = rules.find((each) => each.id === id);
  if (rule !== undefined) return rule;
  throw new DocumentError([unusable(wholeFile(option), unknownRule(id))]);
}
