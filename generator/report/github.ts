import { linesOf } from '../../common/escape/text.ts';
import type { Diagnostic, Severity } from '../../common/diagnostic.ts';
import { toRelative, type Report } from './report.ts';

const COMMANDS: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'notice',
};

/**
 * Renders a report for GitHub Actions: a workflow command for each diagnostic, which GitHub shows at its
 * line (docs.github.com, "Workflow commands for GitHub Actions"), or "" without diagnostics.
 */
export function renderGithub({ diagnostics, root }: Report): string {
  return diagnostics.map((each) => `${toCommand(each, root)}\n`).join('');
}

function toCommand(diagnostic: Diagnostic, root: string): string {
  const { severity, code, message, fix, location } = diagnostic;
  const { file, line, column, pointer } = location;
  const properties = {
    file: toRelative(file, root),
    ...(line === null ? {} : { line, col: column ?? 1 }),
    title: code,
  };
  const list = Object.entries(properties).map(([key, value]) => `${key}=${property(value)}`);
  const place = pointer === null || pointer === '' ? '' : `\n#${pointer}`;
  const text = `${message}${fix === undefined ? '' : `; ${fix}`}${place}`;
  return `::${COMMANDS[severity]} ${list.join(',')}::${data(text)}`;
}

// The escapes of actions/toolkit, packages/core/src/command.ts.
function data(text: string): string {
  const lines = linesOf(text).join('\n');
  return lines.replaceAll('%', '%25').replaceAll('\n', '%0A');
}

function property(value: string | number): string {
  return data(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
