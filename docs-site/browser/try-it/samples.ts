import { renderSamples } from '../../../common/samples/render-samples.ts';
import type { SampleCall } from '../../../common/samples/sample.ts';
import { make } from '../elements.ts';

/** Updates the samples of the page for a call. */
export function drawSamples(call: SampleCall): void {
  const samples = new Map(renderSamples(call).map(({ id, code }) => [id, code]));
  for (const tab of document.querySelectorAll<HTMLElement>('[data-tabs="sample"] [data-tab]')) {
    const place = tab.querySelector('code');
    const code = samples.get(tab.dataset['tab'] ?? '');
    const text =
      code ?? `This language does not support calls on ${call.network?.name ?? 'this network'}.`;
    if (place === null || place.textContent === text) continue;
    place.replaceChildren(...highlight(text));
  }
}

/** Comments, strings, constants, keywords and called functions are enough for the samples. */
const TOKENS =
  /(?<comment>#[^\n]*|\/\/[^\n]*)|(?<string>'(?:[^'\\]|\\.)*'?|"(?:[^"\\]|\\.)*"?)|(?<constant>\b(?:\d+n?|true|false|null|undefined|True|False|None)\b)|(?<keyword>\b(?:const|await|import|from|new|print|with|as|or|def|curl|npx)\b)|(?<function>\b[A-Za-z_]\w*(?=\())/g;

/** Marks up code with the classes of the static pages. */
function highlight(code: string): readonly (Node | string)[] {
  const nodes: (Node | string)[] = [];
  let end = 0;
  for (const { 0: text, index, groups = {} } of code.matchAll(TOKENS)) {
    const [kind] = Object.entries(groups).find(([, found]) => found !== undefined)!;
    nodes.push(code.slice(end, index), make('span', { class: `t-${kind}` }, text));
    end = index + text.length;
  }
  nodes.push(code.slice(end));
  return nodes;
}
