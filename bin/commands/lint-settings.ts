import { DocumentError, unusable, wholeFile } from '../../common/diagnostic.ts';
import { loadProject } from '../../generator/project/load.ts';
import { createTextReader } from '../../generator/files/text.ts';
import { joinPointer } from '../../common/json/pointer.ts';
import type { Preset, RuleLevel } from '../../generator/lint/rule.ts';
import { rules } from '../../generator/lint/rules.ts';
import type { LintConfig } from '../../generator/lint/schema.ts';
import {
  activeRules,
  findSettingErrors,
  unknownRule,
  type ActiveRule,
} from '../../generator/lint/settings.ts';
import { parseSource } from '../../generator/source/parse.ts';

/** What the command line says of rules and documents. */
export interface LintOptions {
  readonly config?: string;
  readonly extends?: Preset;
  readonly rule?: Readonly<Record<string, RuleLevel>>;
  readonly baseline?: string;
}

/** The file that known findings are suppressed by. */
export interface BaselineFile {
  readonly file: string;
  /** True when only the project file names it: it may not have been written yet. */
  readonly mayBeMissing: boolean;
}

export interface LintSettings {
  readonly active: readonly ActiveRule[];
  /** Those to lint where the command line names none. */
  readonly documents: readonly string[];
  /** Null when none is named. */
  readonly baseline: BaselineFile | null;
}

/** The levels of the project file as the command line changes them, and the project's documents. */
export async function readLintSettings(options: LintOptions): Promise<LintSettings> {
  const project = await loadProject(options.config === undefined ? {} : { file: options.config });
  const own: LintConfig = project?.lint ?? {};
  const errors = findSettingErrors(own);
  if (project !== null && errors.length > 0) {
    const source = parseSource(await createTextReader().read(project.file));
    throw new DocumentError(
      errors.map(({ path, message, fix }) => {
        const pointer = ['lint', ...path].reduce(joinPointer, '');
        return unusable(
          { file: project.file, ...source.positionOf(pointer), pointer },
          { message, fix },
        );
      }),
    );
  }
  const custom = own.custom ?? [];
  for (const id of Object.keys(options.rule ?? {})) {
    if (custom.every((rule) => rule.id !== id)) refuseUnknown(id, '--rule');
  }
  const config: LintConfig = {
    extends: options.extends ?? own.extends ?? 'recommended',
    rules: { ...own.rules, ...options.rule },
    custom,
  };
  const documents = project?.documents.map(({ document }) => document) ?? [];
  return {
    active: activeRules(config),
    documents: documents.length > 0 ? documents : ['openrpc.json'],
    baseline: baselineOf(options.baseline, own.baseline),
  };
}

function baselineOf(named: string | undefined, configured: string | undefined) {
  const file = named ?? configured;
  return file === undefined ? null : { file, mayBeMissing: named === undefined };
}

/** The rule of an id; refused where there is none, naming the nearest. */
export function refuseUnknown(id: string, file: string) {
  const rule = rules.find((each) => each.id === id);
  if (rule !== undefined) return rule;
  throw new DocumentError([unusable(wholeFile(file), unknownRule(id))]);
}
