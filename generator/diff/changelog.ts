import { plainMarkdown } from '../../common/escape/markdown.ts';
import type { Diff } from './diff.ts';
import type { GroupedChange } from './group.ts';
import type { Section } from './kinds/kind.ts';
import { sentenceOf } from './report.ts';

const SECTIONS: readonly (readonly [section: Section | 'breaking', title: string])[] = [
  ['breaking', 'Breaking changes'],
  ['added', 'Added'],
  ['changed', 'Changed'],
  ['deprecated', 'Deprecated'],
  ['removed', 'Removed'],
  ['documentation', 'Documentation'],
];

interface ChangelogSection {
  readonly section: Section | 'breaking';
  readonly title: string;
  readonly changes: readonly GroupedChange[];
}

/** Groups the changes by sections: breaking ones first, then added, changed and other ones. */
export function toSections({ changes }: Diff): readonly ChangelogSection[] {
  const own = changes.filter(({ kind }) => !kind.startsWith('version-'));
  const sectionOf = ({ severity, row, approval }: GroupedChange) =>
    severity === 'error' || approval !== null ? 'breaking' : row.section;
  return SECTIONS.map(([section, title]) => ({
    section,
    title,
    changes: own.filter((change) => sectionOf(change) === section),
  })).filter((each) => each.changes.length > 0);
}

/** Release notes as Markdown (CommonMark). */
export function renderChangelog(diff: Diff, title: string): string {
  const { old, new: fresh, required, lowest } = diff.version;
  const sections = toSections(diff);
  const isKnown = lowest !== null && required !== 'none';
  const note = isKnown ? ` These changes require at least ${lowest} (${required}).` : '';
  const head = `# ${plainMarkdown(title)} ${plainMarkdown(fresh)}\n\nSince ${plainMarkdown(old)}.${note}`;
  if (sections.length === 0) return `${head}\n\nNothing changed.\n`;
  return `${head}\n\n${renderSections(sections)}\n`;
}

/** Renders the sections as Markdown, under headings of a level. */
export function renderSections(sections: readonly ChangelogSection[], level = 2): string {
  return sections.map((section) => renderSection(section, level)).join('\n\n');
}

function renderSection({ title, changes }: ChangelogSection, level: number): string {
  const lines = changes.map((change) => {
    const fix =
      change.severity === 'info' && change.approval === null
        ? ''
        : `\n  *What to do:* ${plainMarkdown(change.row.migration)}.`;
    return `- ${plainMarkdown(upperFirst(sentenceOf(change)))}.${fix}`;
  });
  return `${'#'.repeat(level)} ${title}\n\n${lines.join('\n')}`;
}

// The name of a method keeps its case at the start of a sentence.
function upperFirst(text: string): string {
  return /^(?:schema|server|plan|error|limit|extension|info|the|external)\b/.test(text)
    ? text.charAt(0).toUpperCase() + text.slice(1)
    : text;
}
