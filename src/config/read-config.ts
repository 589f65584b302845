import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Document } from 'yaml';
import type { core } from 'zod';
import { checkSettings } from './check-settings.ts';
import { ConfigError, type ConfigProblem } from './config-error.ts';
import { describeIssue, describeUnknown } from './describe-issue.ts';
import { fillVariables } from './fill-variables.ts';
import { settingsAt } from './json-schema.ts';
import { configSchema, type Config } from './schema.ts';

type Path = readonly PropertyKey[];

type Variables = Readonly<Record<string, string | undefined>>;

/** A configuration, and where its settings stand in the file. */
export interface ReadConfig {
  readonly config: Config;
  /** `file:line:column` of the setting at a path, or of the nearest thing around it. */
  readonly placeOf: (path: Path) => string;
}

/** Reads a configuration as `parseConfig` does. */
export function readConfig(text: string, file: string, env: Variables): Config {
  return parseConfig(text, file, env).config;
}

/**
 * Reads a configuration from YAML (or JSON, which is YAML). `${NAME}` in any string is replaced from
 * `env`. Throws ConfigError, whose problems name file, line and column.
 */
export function parseConfig(text: string, file: string, env: Variables): ReadConfig {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const placeAt = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  if (document.errors.length > 0) {
    throw new ConfigError(
      document.errors.map(({ pos, code, message }) => ({
        where: placeAt(pos[0]),
        what: code === 'MULTIPLE_DOCS' ? 'another document begins; keep one' : message,
      })),
    );
  }
  const placeOf = (path: Path): string => placeAt(offsetOf(document, path));
  const missing: ConfigProblem[] = [];
  const value = fillVariables(toValue(document, placeAt(0)), env, (path, name, filled) => {
    // A header of a scheme alone is sent as it stands, and refused by the node at the first call.
    const isLost = filled === '' && path.includes('headers');
    if (filled !== undefined && !isLost) return;
    const what = `${name} is ${isLost ? 'empty' : 'not set'}; set this environment variable`;
    missing.push({ where: placeOf(path), what: `${describePath(path)}: ${what}` });
  });
  if (missing.length > 0) throw new ConfigError(missing);
  const parsed = configSchema
    .superRefine(checkSettings)
    .safeParse(value ?? {}, { error: describeIssue });
  if (parsed.success) return { config: parsed.data, placeOf };
  throw new ConfigError(parsed.error.issues.flatMap((issue) => problemsOf(issue, placeOf)));
}

/** Aliases that stand for aliases may stand for more than fits into memory. */
function toValue(document: Document, where: string): unknown {
  try {
    return document.toJS();
  } catch {
    const what = 'its aliases (*name) stand for too much, or for nothing; write out what they mean';
    throw new ConfigError([{ where, what }]);
  }
}

function problemsOf(issue: core.$ZodIssue, placeOf: (path: Path) => string): ConfigProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const path = [...issue.path, key];
      const what = describeUnknown(key, settingsAt(issue.path));
      return { where: placeOf(path), what: `${describePath(path)}: ${what}` };
    });
  }
  const what = `${describePath(issue.path)}: ${issue.message}`;
  return [{ where: placeOf(issue.path), what }];
}

/** Where the value at `path` stands, or the nearest thing around it that is there. */
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

/** `networks[0].listen.port` */
export function describePath(path: Path): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text === '' ? String(step) : `.${String(step)}`;
  }
  return text === '' ? 'the configuration' : text;
}
