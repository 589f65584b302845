import { onOneLine } from '../../common/escape/text.ts';
import type { Diff } from './diff.ts';
import type { ClassifiedChange } from './classify.ts';
import type { Section } from './kinds/kind.ts';
import { migrationOf } from './kinds/migrations.ts';
import { sentenceOf } from './report.ts';

const SECTIONS: readonly (readonly [section: Section | 'breaking', title: string])[] = [
  ['breaking', 'Breaking changes'],
  ['added', 'Added'],
  ['changed', 'Changed'],
  ['deprecated', 'Deprecated'],
  ['removed', 'Removed'],
  ['documentation', 'Documentation'],
];

export interface ChangelogSection {
  readonly section: Section | 'breaking';
  readonly title: string;
  readonly changes: readonly ClassifiedChange[];
}

/** The changes as people read of them: what breaks first, then what was added, changed, … */
export function toSections({ changes }: Diff): readonly ChangelogSection[] {
  const says = changes.filter(({ kind }) => !kind.startsWith('version-'));
  const sectionOf = ({ severity, row, approval }: ClassifiedChange) =>
    severity === 'error' || approval !== null ? 'breaking' : row.section;
  return SECTIONS.map(([section, title]) => ({
    section,
    title,
    changes: says.filter((change) => sectionOf(change) === section),
  })).filter((each) => each.changes.length > 0);
}

/** Release notes as Markdown (CommonMark). */
export function renderChangelog(diff: Diff, title: string): string {
  const { old, new: fresh, required, lowest } = diff.version;
  const sections = toSections(diff);
  const asks =
    lowest === null || required === 'none'
      ? ''
      : ` These changes ask for ${lowest} at least (${required}).`;
  const head = `# ${escape(title)} ${escape(fresh)}\n\nSince ${escape(old)}.${asks}`;
  if (sections.length === 0) return `${head}\n\nNothing changed.\n`;
  return `${head}\n\n${renderSections(sections)}\n`;
}

/** The sections as Markdown, under headings of a severity. */
export function renderSections(sections: readonly ChangelogSection[], severity = 2): string {
  return sections.map((section) => renderSection(section, severity)).join('\n\n');
}

function renderSection({ title, changes }: ChangelogSection, severity: number): string {
  const lines = changes.map((change) => {
    const fix =
      change.severity === 'info' && change.approval === null
        ? ''
        : `\n  *What to do:* ${escape(migrationOf(change.row.id))}.`;
    return `- ${escape(upperFirst(sentenceOf(change)))}.${fix}`;
  });
  return `${'#'.repeat(severity)} ${title}\n\n${lines.join('\n')}`;
}

// A method's name is not a sentence's beginning to change.
function upperFirst(text: string): string {
  return /^(?:schema|server|plan|error|limit|extension|info|the|external)\b/.test(text)
    ? text.charAt(0).toUpperCase() + text.slice(1)
    : text;
}

// Values of a document may hold anything: it must not become markup.
function escape(text: string): string {
  // Before hidden characters are written out, with backslashes of their own.
  return onOneLine(text.replaceAll(/[\\`*<[\]|]/g, String.raw`\$&`));
}
