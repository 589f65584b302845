import { dirname } from 'node:path';
import { type Diagnostic, DocumentError, unusable, wholeFile } from '../../common/diagnostic.ts';
import { joinPointer } from '../../common/json/pointer.ts';
import { isObject } from '../../common/json/value.ts';
import { diagnosticAt } from '../../generator/bundle/places.ts';
import type { Settings } from '../../generator/levels/levels.ts';
import type { Preset } from '../../generator/lint/rule.ts';
import { rules } from '../../generator/lint/rules.ts';
import { lintSection, type CustomRule, type LintConfig } from '../../generator/lint/schema.ts';
import { activeRules, findSettingErrors, unknownRule } from '../../generator/lint/settings.ts';
import { loadProject, type LoadedProject } from '../../generator/project/load.ts';
import type { Source } from '../../generator/source/source.ts';
import { withRules } from './options.ts';

/** Options of the command line for rules and documents. */
export interface LintOptions {
  readonly config?: string;
  readonly extends?: Preset;
  readonly rule?: Settings;
  readonly baseline?: string;
}

/** The file of known findings. */
export interface BaselineFile {
  readonly file: string;
  /** The folder below which links are not followed, because a repository may contain them. */
  readonly folder: string;
  /** Whether only the project file names it, so that it may not have been written yet. */
  readonly mayBeMissing: boolean;
}

/** Returns the levels of the project file and the command line, and the documents of the project. */
export async function readLintSettings(options: LintOptions) {
  const project = await loadProject(options.config);
  const own: LintConfig = project?.lint ?? {};
  const custom = own.custom ?? [];
  const errors = (project?.sources ?? []).flatMap((source) => findErrors(source, custom));
  if (errors.length > 0) throw new DocumentError(errors);
  for (const id of Object.keys(options.rule ?? {})) {
    if (custom.every((rule) => rule.id !== id)) findRule(id, '--rule');
  }
  const active = activeRules({
    ...withRules(own, options.rule),
    extends: options.extends ?? own.extends ?? 'recommended',
    custom,
  });
  const documents = project?.documents.map(({ document }) => document) ?? [];
  return {
    active,
    documents: documents.length > 0 ? documents : ['openrpc.json'],
    baseline: findBaseline(options.baseline, project),
  };
}

/** Finds unknown rules and options in one file; `custom` are the rules of the project itself. */
function findErrors(source: Source, custom: readonly CustomRule[]): readonly Diagnostic[] {
  const section = isObject(source.value) ? source.value['lint'] : undefined;
  return findSettingErrors(lintSection.parse(section ?? {}), custom).map(({ path, ...says }) => {
    const pointer = ['lint', ...path].reduce(joinPointer, '');
    return diagnosticAt({ source, pointer }, says);
  });
}

function findBaseline(
  named: string | undefined,
  project: LoadedProject | null,
): BaselineFile | null {
  if (named !== undefined) return { file: named, folder: dirname(named), mayBeMissing: false };
  const file = project?.lint.baseline;
  return file === undefined ? null : { file, folder: dirname(project!.file), mayBeMissing: true };
}

/** @throws DocumentError for an unknown id; it suggests the most similar one */
export function findRule(id: string, option: string) {
  const rule = rules.find((each) => each.id === id);
  if (rule !== undefined) return rule;
  throw new DocumentError([unusable(wholeFile(option), unknownRule(id))]);
}
