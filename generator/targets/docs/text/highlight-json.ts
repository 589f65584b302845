import { asHtml, escapeHtml, type Html } from '../html.ts';

/** A string (with a colon behind it: a member's name), a number or a word; the rest stays as it is. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;

/** JSON in the classes of the other languages. Most code of a site is JSON, so it is worth its own. */
export function highlightJson(code: string): Html {
  let html = '';
  let done = 0;
  for (const match of code.matchAll(TOKEN)) {
    const [whole, text, colon = ''] = match;
    html += escapeHtml(code.slice(done, match.index));
    html += `<span class="t-${kindOf(text, colon)}">${escapeHtml(text ?? whole)}</span>${colon}`;
    done = match.index + whole.length;
  }
  return asHtml(html + escapeHtml(code.slice(done)));
}

function kindOf(text: string | undefined, colon: string): string {
  if (text === undefined) return 'constant';
  return colon === '' ? 'string' : 'keyword';
}
