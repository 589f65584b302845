import type { Finding, Level } from './finding.ts';
import { toRelative } from './relative.ts';
import type { Report } from './report.ts';

const COMMANDS: Readonly<Record<Level, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'notice',
};

/**
 * For a step of GitHub Actions: a workflow command for each finding, which GitHub shows at the line
 * (docs.github.com, "Workflow commands for GitHub Actions"). Nothing when there is nothing to show.
 */
export function renderGithub({ findings, root }: Report): string {
  return findings.map((finding) => `${toCommand(finding, root)}\n`).join('');
}

function toCommand(finding: Finding, root: string): string {
  const { level, rule, message, fix, file, line, column, pointer } = finding;
  const properties = {
    file: toRelative(file, root),
    ...(line === null ? {} : { line, col: column ?? 1 }),
    title: rule,
  };
  const list = Object.entries(properties).map(([key, value]) => `${key}=${property(value)}`);
  const place = pointer === null || pointer === '' ? '' : `\n#${pointer}`;
  const text = `${message}${fix === undefined ? '' : `; ${fix}`}${place}`;
  return `::${COMMANDS[level]} ${list.join(',')}::${data(text)}`;
}

// actions/toolkit, packages/core/src/command.ts: what the runner undoes.
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(value: string | number): string {
  return data(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
