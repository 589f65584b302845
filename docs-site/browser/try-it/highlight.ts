import { make } from './elements.ts';

/** Comment, string, number or constant, keyword, name before "(": enough for the samples. */
const TOKENS =
  /(?<comment>#[^\n]*|\/\/[^\n]*)|(?<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?<constant>\b(?:\d+n?|true|false|null|undefined|True|False|None)\b)|(?<keyword>\b(?:const|await|import|from|new|print|with|as|or|def|curl|npx)\b)|(?<function>\b[A-Za-z_]\w*(?=\())/g;

/** Code as nodes with the classes of the static pages. */
export function highlight(code: string): readonly (Node | string)[] {
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
