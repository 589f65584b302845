import { escapeJson } from '../../common/escape/json.ts';
import type { Diagnostic, Severity } from '../../common/diagnostic.ts';
import { toRelative, type Report, type ReportRule } from './report.ts';

const LEVELS: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
};

/**
 * Renders a report for code scanning: SARIF 2.1.0 (OASIS), one run; files are relative to the source
 * root.
 */
export function renderSarif({ verb, version, rules, diagnostics, root }: Report): string {
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: `specgate ${verb}`, semanticVersion: version, rules: rules.map(toRule) },
        },
        columnKind: 'utf16CodeUnits',
        results: diagnostics.map((each) => toResult(each, indexes.get(each.code), root)),
      },
    ],
  };
  return `${escapeJson(JSON.stringify(log, null, 2))}\n`;
}

function toRule({ id, title, severity, help, helpUri }: ReportRule): object {
  return {
    id,
    shortDescription: { text: title },
    help: { text: help, markdown: help },
    ...(helpUri === undefined ? {} : { helpUri }),
    defaultConfiguration: { level: LEVELS[severity] },
  };
}

function toResult(diagnostic: Diagnostic, ruleIndex: number | undefined, root: string): object {
  const { code, severity, message, fix, location } = diagnostic;
  const { file, line, column, pointer } = location;
  return {
    ruleId: code,
    ...(ruleIndex === undefined ? {} : { ruleIndex }),
    level: LEVELS[severity],
    message: { text: withoutLinks(`${message}${fix === undefined ? '' : `; ${fix}`}`) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: toArtifact(file, root),
          ...(line === null ? {} : { region: { startLine: line, startColumn: column ?? 1 } }),
        },
        ...(pointer === null
          ? {}
          : { logicalLocations: [{ fullyQualifiedName: `#${pointer}`, kind: 'member' }] }),
      },
    ],
    // Rule and pointer identify a result even if its line changes.
    partialFingerprints: { 'rulePointer/v1': `${code}#${pointer ?? ''}` },
  };
}

/** Escapes what would be a link in a message, "[text](destination)" (section 3.11.6). */
function withoutLinks(text: string): string {
  // After an odd number of backslashes, the bracket is escaped already.
  return text.replaceAll(/(?<!\\)((?:\\\\)*)\](?=\()/g, String.raw`$1\]`);
}

/**
 * Keeps a URL, makes a path below the root relative to it, and turns any other path into a `file:` URL.
 */
function toArtifact(file: string, root: string): object {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(file)) return { uri: file };
  const path = toRelative(file === '<stdin>' ? 'stdin' : file, root);
  const uri = path.toWellFormed().split('/').map(encodeURIComponent).join('/');
  return path.startsWith('/') ? { uri: `file://${uri}` } : { uri, uriBaseId: '%SRCROOT%' };
}
