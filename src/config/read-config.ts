import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Document } from 'yaml';
import type { core, z } from 'zod';
import { checkSettings } from './check-settings.ts';
import { ConfigError, type ConfigProblem } from './config-error.ts';
import { describeIssue, describeSuggestion } from './describe-issue.ts';
import { settingsAt } from './json-schema.ts';
import { configSchema, type Config } from './schema.ts';

type Path = readonly PropertyKey[];
type Variables = Readonly<Record<string, string | undefined>>;

/** A configuration, and the positions of its settings in the file. */
interface ReadConfig {
  readonly config: Config;
  /** Returns `file:line:column` of a setting, or of its nearest ancestor in the file. */
  readonly placeOf: (path: Path) => string;
}

/** Parses a configuration as `parseConfig` does. */
export function readConfig(text: string, file: string, env: Variables): Config {
  return parseConfig(text, file, env).config;
}

/**
 * Parses a YAML or JSON configuration. `${NAME}` in any string is replaced from `env`. Throws
 * ConfigError with file, line and column of each problem.
 */
export function parseConfig(text: string, file: string, env: Variables): ReadConfig {
  const { value, placeOf } = parseText(text, file);
  const schema = configSchema.superRefine(checkSettings);
  return { config: validate(schema, value, { env, placeOf }), placeOf };
}

const storeSchema = configSchema.pick({ store: true, plans: true });

/** Where a gateway keeps its accounts, and the plans it adds to the document's. */
export type StoreSettings = z.output<typeof storeSchema>;

/**
 * Parses the settings of the store only: the variables and files of other settings, such as the
 * tokens of nodes, need not exist. Throws ConfigError as `parseConfig` does.
 */
export function parseStoreSettings(text: string, file: string, env: Variables): StoreSettings {
  const { value, placeOf } = parseText(text, file);
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  const names = Object.keys(storeSchema.shape);
  const settings = isRecord
    ? Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)))
    : value;
  return validate(storeSchema, settings, { env, placeOf });
}

interface ParsedText {
  readonly value: unknown;
  readonly placeOf: ReadConfig['placeOf'];
}

function parseText(text: string, file: string): ParsedText {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'error',
  });
  const placeAt = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  if (document.errors.length > 0) {
    throw new ConfigError(
      document.errors.map(({ pos, code, message }) => ({
        where: placeAt(pos[0]),
        what: code === 'MULTIPLE_DOCS' ? 'expected one YAML document, got several' : message,
      })),
    );
  }
  const placeOf = (path: Path): string => placeAt(offsetOf(document, path));
  return { value: toValue(document, placeAt(0)), placeOf };
}

/** Fills in the variables of a value and validates it. */
function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  { env, placeOf }: { readonly env: Variables; readonly placeOf: ReadConfig['placeOf'] },
): z.output<Schema> {
  const missing: ConfigProblem[] = [];
  const filled = fillVariables(value, (path, name) => {
    const text = env[name];
    // A header with a scheme but no token would be sent, and rejected by the node at the first call.
    const isEmpty = text === '' && path.includes('headers');
    if (text !== undefined && !isEmpty) return text;
    const what = `environment variable ${name} is ${isEmpty ? 'empty' : 'not set'}; set it`;
    missing.push(problemAt(path, what, placeOf));
    return '';
  });
  if (missing.length > 0) throw new ConfigError(missing);
  const parsed = schema.safeParse(filled ?? {}, { error: describeIssue });
  if (parsed.success) return parsed.data;
  throw new ConfigError(parsed.error.issues.flatMap((issue) => problemsOf(issue, placeOf)));
}

/** Nested aliases can expand to more than fits into memory. */
function toValue(document: Document, where: string): unknown {
  try {
    return document.toJS();
  } catch {
    const what = 'aliases (*name) are unknown or expand to too much; write out their values';
    throw new ConfigError([{ where, what }]);
  }
}

/** Returns a copy of `value` with each `${NAME}` in a string replaced by `replace`. */
function fillVariables(
  value: unknown,
  replace: (path: Path, name: string) => string,
  path: Path = [],
): unknown {
  if (typeof value === 'string') {
    return value.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => replace(path, name));
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => fillVariables(item, replace, [...path, index]));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      fillVariables(item, replace, [...path, name]),
    ]),
  );
}

function problemsOf(issue: core.$ZodIssue, placeOf: (path: Path) => string): ConfigProblem[] {
  if (issue.code !== 'unrecognized_keys') return [problemAt(issue.path, issue.message, placeOf)];
  return issue.keys.map((key) => {
    const what = `unknown setting${describeSuggestion(key, settingsAt(issue.path))}`;
    const path = [...issue.path, key];
    const where = placeOf(path);
    if (mayBeSecret(path)) return { where, what: `${describePath(issue.path)}: ${what}` };
    return { where, what: `${describePath(path)}: ${what}` };
  });
}

/** Whether an unknown setting may be a secret that was written without the name of its setting. */
function mayBeSecret(path: Path): boolean {
  return path.includes('keys') || !/^[A-Za-z_]{1,40}$/.test(String(path.at(-1)));
}

export function problemAt(path: Path, what: string, placeOf: ReadConfig['placeOf']): ConfigProblem {
  return { where: placeOf(path), what: `${describePath(path)}: ${what}` };
}

/** Returns the offset of the value at `path`, or of its nearest ancestor in the file. */
function offsetOf(document: Document, path: Path): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && key.value === step);
      if (pair === undefined) break;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      offset = startOf(node) ?? offset;
    }
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return (node as { range?: readonly [number, number, number] | null } | null)?.range?.[0];
}

/** Formats a path as `networks[0].listen.port`. */
function describePath(path: Path): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text === '' ? String(step) : `.${String(step)}`;
  }
  return text === '' ? 'configuration' : text;
}
