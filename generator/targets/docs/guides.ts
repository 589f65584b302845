import { DocumentError, unusable } from '../../../common/diagnostic.ts';
import { parse, YAMLParseError } from 'yaml';
import { isObject, type JsonObject } from '../../../common/json/value.ts';
import type { GuideSource } from './assets.ts';

/** A hand-written page. */
export interface Guide {
  /** Without extension: "guides/start". */
  readonly path: string;
  /** Menu section: the name of its folder. */
  readonly section: string;
  readonly title: string;
  readonly summary: string;
  /** Position in its section. */
  readonly order: number;
  /** Markdown without title. */
  readonly body: string;
}

/** Only at the beginning: further down, three hyphens are a horizontal rule. */
const FRONT_MATTER = /^---\r?\n([^]*?)(?<=\n)---[^\S\n]*(?:\n|$)([^]*)/;

/** A comment for authors above the text. */
const NOTE = /^\s*<!--[^]*?-->/;

/** Section of guides without a folder, listed last. */
const NO_FOLDER = 'Project';

/** The first sections of the menu; others follow by name. */
const SECTIONS = ['Guides', 'Toolchain', 'Operations'];

/**
 * Reads guides and sorts them for the menu.
 *
 * @throws DocumentError for invalid front matter
 */
export function readGuides(sources: readonly GuideSource[]): readonly Guide[] {
  return sources
    .map(readGuide)
    .toSorted(
      (a, b) =>
        rankOf(a.section) - rankOf(b.section) ||
        a.section.localeCompare(b.section, 'en') ||
        a.order - b.order ||
        a.title.localeCompare(b.title, 'en'),
    );
}

function rankOf(section: string): number {
  if (section === NO_FOLDER) return SECTIONS.length + 1;
  const rank = SECTIONS.indexOf(section);
  return rank < 0 ? SECTIONS.length : rank;
}

function readGuide({ path, text }: GuideSource): Guide {
  const [, head = '', rest = text] = FRONT_MATTER.exec(text) ?? [];
  const { title, summary, order } = readFrontMatter(head, path);
  const [, heading] = /^[\t ]*# (.+)$/m.exec(rest) ?? [];
  const folder = path.includes('/') ? path.slice(0, path.indexOf('/')) : NO_FOLDER;
  return {
    path: path.replace(/\.md$/, ''),
    section: folder.charAt(0).toUpperCase() + folder.slice(1).replaceAll('-', ' '),
    title: typeof title === 'string' ? title : (heading ?? path).trim(),
    summary: typeof summary === 'string' ? summary : '',
    order: typeof order === 'number' ? order : Number.MAX_SAFE_INTEGER,
    // The page shows the title itself.
    body: rest
      .replace(NOTE, '')
      .replace(/^\s*# .+\r?\n/, '')
      .replace(NOTE, '')
      .trim(),
  };
}

function readFrontMatter(head: string, file: string): JsonObject {
  try {
    const facts: unknown = parse(head, { logLevel: 'error' });
    return isObject(facts) ? facts : {};
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    const [start] = error.linePos ?? [];
    const [message = ''] = error.message.split(/ at line|\n/);
    throw new DocumentError([
      unusable(
        {
          file,
          // After the line with the three hyphens.
          line: start === undefined ? null : start.line + 1,
          column: start?.col ?? null,
          pointer: null,
        },
        { message: `invalid YAML in front matter: ${message}`, fix: 'put the value in quotes' },
      ),
    ]);
  }
}
