import { createHash } from 'node:crypto';

export interface DocumentedMethod {
  readonly name: string;
  readonly summary: string;
  readonly credits: number;
  readonly family: string | null;
  readonly params: readonly { readonly name: string; readonly required: boolean }[];
}

export interface DocumentedNetwork {
  readonly name: string;
  readonly family: string;
  readonly http: string;
  readonly ws: string;
}

export interface PageContent {
  readonly title: string;
  readonly version: string;
  readonly methods: readonly DocumentedMethod[];
  readonly networks: readonly DocumentedNetwork[];
  /** A key anyone may use here; undefined: none. */
  readonly demoKey: string | undefined;
}

const STYLE = `body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}caption{text-align:left;font-weight:600;padding:.5rem 0}
th,td{text-align:left;vertical-align:top;padding:.35rem .75rem .35rem 0;border-bottom:1px solid #bbb}
td.number{text-align:right}code,pre{font:.9em ui-monospace,monospace}
pre{overflow-x:auto;padding:1rem;background:#f3f3f3;color:#111}`;

const styleHash = createHash('sha256').update(STYLE).digest('base64');

/** Nothing but this page and its one style. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** One plain page: networks, key, methods with their credits. Works without script. */
export function renderPage(content: PageContent): string {
  const { title, version, methods, networks, demoKey } = content;
  const keyLine =
    demoKey === undefined
      ? 'Every call needs an API key, the last segment of the path.'
      : `The API key here is <code>${escapeHtml(demoKey)}</code>, the last segment of the path.`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)} ${escapeHtml(version)}</h1>
<p>JSON-RPC 2.0 over HTTP and WebSocket. ${keyLine}
The whole interface as an OpenRPC document: <a href="/openrpc.json">openrpc.json</a>.</p>
<h2>Networks</h2>
${table('Networks', ['Name', 'Family', 'HTTP', 'WebSocket'], networks.map(networkCells))}
<h2>First call</h2>
<pre>${escapeHtml(firstCall(networks))}</pre>
<h2>Methods</h2>
${table('Methods', ['Method', 'Params', 'Family', 'Credits', 'What it does'], methods.map(methodCells))}
</main>
</body>
</html>
`;
}

function networkCells({ name, family, http, ws }: DocumentedNetwork): readonly string[] {
  return [name, family, http, ws].map(codeCell);
}

function methodCells({ name, params, family, credits, summary }: DocumentedMethod): string[] {
  const list = params.map((param) => (param.required ? param.name : `${param.name}?`)).join(', ');
  const cost = `<td class="number">${credits}</td>`;
  const [method, given, kind] = [name, `[${list}]`, family ?? 'any'].map(codeCell);
  return [method!, given!, kind!, cost, `<td>${escapeHtml(summary)}</td>`];
}

function codeCell(text: string): string {
  return `<td><code>${escapeHtml(text)}</code></td>`;
}

function table(
  caption: string,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const head = headings.map((heading) => `<th scope="col">${heading}</th>`).join('');
  const body = rows.map((cells) => `<tr>${cells.join('')}</tr>`).join('\n');
  return `<table><caption>${caption}</caption><thead><tr>${head}</tr></thead>
<tbody>
${body}
</tbody></table>`;
}

/** A line to paste into a shell. */
export function firstCall(networks: readonly DocumentedNetwork[]): string {
  const network = networks.find(({ family }) => family === 'evm') ?? networks[0];
  const call =
    network?.family === 'svm'
      ? '{"jsonrpc":"2.0","id":1,"method":"rpc.discover","params":[]}'
      : '{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["latest",false]}';
  return `curl -s ${network?.http} -H 'Content-Type: application/json' -d '${call}'`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
