import { createHash } from 'node:crypto';
import { isObject } from '../../common/json/value.ts';
import { listTree } from '../files/folder.ts';
import { listGitFiles } from '../files/git.ts';
import { createTextReader, type TextReader } from '../files/text.ts';
import { textAt } from '../model/member.ts';
import { parseSource } from '../source/parse.ts';
import { DocumentError } from '../../common/diagnostic.ts';

/** An OpenRPC document of a repository. */
export interface FoundDocument {
  /** Relative to the folder, with slashes. */
  readonly path: string;
  readonly title: string;
  readonly methods: number;
}

export interface Discovery {
  readonly documents: readonly FoundDocument[];
  /** Documents that are copies, or are in a folder of tests or examples, with the reason. */
  readonly leftOut: readonly (FoundDocument & { readonly why: string })[];
  /** Whether git ignores the documents: a build step writes them. */
  readonly isBuilt: boolean;
  /** Script of package.json that seems to write a document; null if none does. */
  readonly buildScript: string | null;
  /** Other tools for OpenRPC documents that the repository uses. */
  readonly tools: readonly string[];
}

/** Maximum number of files that are read, starting with those nearest to the root. */
const MAX_FILES = 5_000;

const MAYBE_DOCUMENT = /\.(?:json|ya?ml)$/i;

/** The top-level member that only OpenRPC documents have, in JSON or YAML. */
const VERSION_MEMBER = /(?:^|[{,\s])["']?openrpc["']?\s*:\s*["']?\d+\.\d+/;

const SIDE_FOLDER =
  /(?:^|\/)(?:__tests__|tests?|testdata|fixtures?|examples?|node_modules|vendor)\//i;

const TOOLS: Readonly<Record<string, RegExp>> = {
  '@open-rpc/generator': /@open-rpc\/generator|open-rpc-generator/,
  'openrpc-linter': /openrpc-linter/,
  speccheck: /\bspeccheck\b/,
  Spectral: /@stoplight\/spectral|\bspectral lint\b/,
};

const TOOL_FILES = /^(?:package\.json|Makefile|\.github\/workflows\/[^/]+\.ya?ml)$/;
const SPECTRAL_FILE = /(?:^|\/)\.spectral\.(?:ya?ml|json|js)$/;

/** Finds the OpenRPC documents below a folder, and what the repository does with them today. */
export async function discover(folder: string): Promise<Discovery> {
  const reader = createTextReader({ cwd: folder });
  const tracked = await listGitFiles(folder, 'tracked');
  const files = tracked ?? (await listTree(folder));
  const own = await findDocuments(files, reader);
  const ignored = own.length > 0 || tracked === null ? [] : await listGitFiles(folder, 'ignored');
  const isBuilt = own.length === 0 && (ignored ?? []).length > 0;
  const found = isBuilt ? await findDocuments(ignored ?? [], reader) : own;
  const tools = new Set(files.some((path) => SPECTRAL_FILE.test(path)) ? ['Spectral'] : []);
  for (const path of files.filter((path) => TOOL_FILES.test(path)).slice(0, MAX_FILES)) {
    const text = await readIfPossible(path, reader);
    for (const [name, pattern] of Object.entries(TOOLS)) if (pattern.test(text)) tools.add(name);
  }
  const manifest = await readIfPossible('package.json', reader);
  return {
    ...sortOut(found),
    isBuilt,
    buildScript: findBuildScript(manifest),
    tools: [...tools].sort(),
  };
}

/** Separates copies and test documents from the others, unless there are no others. */
function sortOut(found: readonly (FoundDocument & { readonly content: string })[]) {
  const isSide = ({ path }: FoundDocument) => SIDE_FOLDER.test(path);
  const onlySides = found.every(isSide);
  const documents: FoundDocument[] = [];
  const leftOut: (FoundDocument & { why: string })[] = [];
  const first = new Map<string, string>();
  for (const { content, ...document } of found) {
    const copied = first.get(content);
    if (copied !== undefined) leftOut.push({ ...document, why: `identical to ${copied}` });
    else if (isSide(document) && !onlySides) {
      leftOut.push({ ...document, why: 'in a test or example folder' });
    } else {
      first.set(content, document.path);
      documents.push(document);
    }
  }
  return { documents, leftOut };
}

async function findDocuments(files: readonly string[], reader: TextReader) {
  const candidates = files.filter((path) => MAYBE_DOCUMENT.test(path));
  const depth = (path: string) => path.split('/').length;
  const nearest = candidates.toSorted((a, b) => depth(a) - depth(b)).slice(0, MAX_FILES);
  const found: (FoundDocument & { content: string })[] = [];
  for (const path of nearest) {
    const text = await readIfPossible(path, reader);
    const document = VERSION_MEMBER.test(text) ? parseDocument(path, text) : null;
    if (document !== null) found.push(document);
  }
  return found;
}

function parseDocument(path: string, text: string) {
  try {
    const { value } = parseSource({ name: path, url: path, text });
    if (!isObject(value) || typeof value['openrpc'] !== 'string') return null;
    const { info, methods } = value;
    const title = isObject(info) ? textAt(info, 'title') : '';
    const count = Array.isArray(methods) ? methods.length : 0;
    const content = createHash('sha256').update(JSON.stringify(value)).digest('hex');
    return { path, title, methods: count, content };
  } catch (error) {
    if (error instanceof DocumentError) return null;
    throw error;
  }
}

/** Returns the text of a file, "" if it cannot be read. */
async function readIfPossible(path: string, reader: TextReader): Promise<string> {
  try {
    // A folder may be called "file:", but its files are not URLs.
    return (await reader.read(`./${path}`)).text;
  } catch (error) {
    if (error instanceof DocumentError) return '';
    throw error;
  }
}

function findBuildScript(manifest: string): string | null {
  try {
    const { scripts = {} } = JSON.parse(manifest) as { scripts?: Record<string, unknown> };
    // The name becomes part of a shell command.
    const names = Object.keys(scripts).filter((name) => /^\w[\w:.-]*$/.test(name));
    const mentions = names.find((name) =>
      /openrpc|open-rpc/i.test(`${name} ${String(scripts[name])}`),
    );
    return mentions ?? names.find((name) => name === 'build') ?? null;
  } catch {
    return null;
  }
}
