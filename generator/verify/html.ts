import { visible } from '../../common/escape/text.ts';
import { escapeHtml } from '../targets/docs/html.ts';
import type { CoverageRow } from './coverage.ts';
import { countKinds, type DescribedFailure } from './report.ts';
import type { Verified } from './run.ts';

interface PageOptions {
  readonly title: string;
  readonly url: string;
  readonly seed: string;
}

/** Renders the report as one self-contained HTML page. */
export function renderVerifiedHtml(
  { phases, coverage, calls, ended }: Verified,
  failures: readonly DescribedFailure[],
  { title, url, seed }: PageOptions,
): string {
  const isClean = failures.length === 0;
  const kinds = countKinds(failures);
  const ran = phases.map(({ id, title: sends, calls: sent, failures: failed }) =>
    row([text(id), text(sends), String(sent), failed === 0 ? 'ok' : `<b>${failed} failed</b>`]),
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(title)}: ${kinds}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${text(title)}</h1>
<p class="${isClean ? 'good' : 'bad'}">${isClean ? 'No failures' : kinds}</p>
<p><code>${text(url)}</code>, ${calls} calls, seed <code>${text(seed)}</code>${ended === null ? '' : `; ${text(ended)}`}</p>
${isClean ? '' : `<h2>Failures</h2>\n${failures.map(renderFailure).join('\n')}`}
<h2>Phases</h2>
${table(['Phase', 'Sends', 'Calls', 'Result'], ran)}
<h2>Coverage</h2>
${coverage
  .filter(({ total }) => total > 0)
  .map(renderCoverage)
  .join('\n')}
</main>
</body>
</html>
`;
}

function renderFailure(failure: DescribedFailure): string {
  const { check, method, message, count, transports, title, request, response, command } = failure;
  const times = count === 1 ? '1 call' : `${count} calls`;
  return `<section class="failure">
<h3>${text(method ?? 'JSON-RPC')} <span class="check">${text(check)}</span></h3>
<p>${text(message)}</p>
<p class="note">${text(title)}; ${times} over ${transports.join(' and ')}</p>
<details><summary>Reproduce ${text(method ?? 'JSON-RPC')} ${text(check)}</summary>
${block('Command', command)}
${block('Request', request)}
${block('Response', response)}
</details>
</section>`;
}

function renderCoverage({ kind, covered, total, holes }: CoverageRow): string {
  const name = text(`${kind}s`);
  const list = holes.map((hole) => `<li><code>${text(hole)}</code></li>`).join('');
  return `<section>
<h3>${name[0]!.toUpperCase()}${name.slice(1)}: ${covered} of ${total}</h3>
<progress value="${covered}" max="${total}" aria-label="${name} covered"></progress>
${holes.length === 0 ? '' : `<details><summary>${holes.length} ${name} not covered</summary><ul>${list}</ul></details>`}
</section>`;
}

function table(heads: readonly string[], rows: readonly string[]): string {
  const head = heads.map((each) => `<th scope="col">${each}</th>`).join('');
  return `<table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

/** Returns a row of cells that are HTML already. */
function row(cells: readonly string[]): string {
  return `<tr>${cells.map((each) => `<td>${each}</td>`).join('')}</tr>`;
}

function block(name: string, content: string): string {
  return `<h4>${name}</h4><pre tabindex="0">${text(content)}</pre>`;
}

/** Escapes tags and hidden characters, because texts come from documents and servers. */
function text(value: string): string {
  return escapeHtml(visible(value));
}

const STYLE = `
:root { color-scheme: light dark; --line: #d0d4da; --note: #55606e; --good: #116329; --bad: #b01824; --back: #f4f6f8; }
@media (prefers-color-scheme: dark) {
  :root { --line: #3a414b; --note: #a5b0bd; --good: #6fd58a; --bad: #ff9b94; --back: #1b2027; }
  body { background: #12161c; color: #e4e8ed; }
}
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; overflow-wrap: anywhere; }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem; }
h1 { margin: 0; } h3 { margin: 1rem 0 .25rem; } h4 { margin: .75rem 0 .25rem; font-size: .875rem; }
.good { color: var(--good); font-weight: 600; } .bad, b { color: var(--bad); font-weight: 600; }
.note { color: var(--note); } .check { font: 600 .875rem ui-monospace, monospace; color: var(--bad); }
.failure { border: 1px solid var(--line); border-radius: 8px; padding: 0 1rem 1rem; margin: 1rem 0; }
pre { background: var(--back); padding: .75rem; overflow: auto; white-space: pre-wrap; max-height: 20rem; border-radius: 6px; }
pre, code { font-family: ui-monospace, monospace; font-size: .875rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .375rem .5rem; border-bottom: 1px solid var(--line); }
progress { width: 100%; accent-color: var(--good); } summary { cursor: pointer; }
`;
