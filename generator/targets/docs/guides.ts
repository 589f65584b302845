import { DocumentError, unusable } from '../../../common/diagnostic.ts';
import { parse, YAMLParseError } from 'yaml';
import { isObject, type JsonObject } from '../../../common/json/value.ts';
import type { GuideSource } from './assets.ts';

/** A page written by hand, its front matter read. */
export interface Guide {
  /** Without extension: "guides/start". */
  readonly path: string;
  /** What it is listed under: the folder it lies in, as words. */
  readonly section: string;
  readonly title: string;
  readonly summary: string;
  /** Place among the guides of its section. */
  readonly order: number;
  /** Markdown below the title. */
  readonly body: string;
}

/** At the very beginning: further down, three hyphens are a line across the page. */
const FRONT_MATTER = /^---\r?\n([^]*?)(?<=\n)---[^\S\n]*(?:\n|$)([^]*)/;

/** A comment above the text is for who writes it. */
const NOTE = /^\s*<!--[^]*?-->/;

/** What lies in no folder: how the project keeps its word. */
const NO_FOLDER = 'Project';

/** Sections in which guides are listed; others follow by name, and at last those in no folder. */
const SECTIONS = ['Guides', 'Toolchain', 'Operations'];

/**
 * The guides in the order they are listed in.
 *
 * @throws DocumentError where front matter is no YAML
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
  const [, heading] = /^\s*# (.+)$/m.exec(rest) ?? [];
  const folder = path.includes('/') ? path.slice(0, path.indexOf('/')) : NO_FOLDER;
  return {
    path: path.replace(/\.md$/, ''),
    section: folder.charAt(0).toUpperCase() + folder.slice(1).replaceAll('-', ' '),
    title: typeof title === 'string' ? title : (heading ?? path).trim(),
    summary: typeof summary === 'string' ? summary : '',
    order: typeof order === 'number' ? order : Number.MAX_SAFE_INTEGER,
    // The title is shown by the page; one at the top of the text would be a second.
    body: rest
      .replace(NOTE, '')
      .replace(/^\s*# .+\r?\n/, '')
      .replace(NOTE, '')
      .trim(),
  };
}

function readFrontMatter(head: string, file: string): JsonObject {
  try {
    const facts: unknown = parse(head);
    return isObject(facts) ? facts : {};
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    const [start] = error.linePos ?? [];
    const [message = ''] = error.message.split(/ at line|\n/);
    throw new DocumentError([
      unusable(
        {
          file,
          // The line with the three hyphens comes before it.
          line: start === undefined ? null : start.line + 1,
          column: start?.col ?? null,
          pointer: null,
        },
        {
          message: `the front matter is not valid YAML: ${message}`,
          fix: 'put the value in quotes',
        },
      ),
    ]);
  }
}
