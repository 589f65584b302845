import { createCssVariablesTheme, createHighlighterCore } from 'shiki/core';
import { createOnigurumaEngine } from 'shiki/engine/oniguruma';
import { bundledLanguages, type BundledLanguage } from 'shiki/langs';
import type { Target } from '../../target.ts';
import { asHtml, escapeHtml, type Html } from '../html.ts';

/**
 * Highlights code as HTML, with classes: the Content-Security-Policy forbids inline styles. What a grammar
 * reads counts against `budget`; beyond it, code is not highlighted.
 */
export type Highlight = (code: string, language: string, budget?: HighlightBudget) => Html;

export interface HighlightBudget {
  left_characters: number;
}

/** Longer code is not highlighted. */
const MAX_CHARACTERS = 20_000;

/** Longer lines are not highlighted by a grammar: some take quadratic time. */
const MAX_LINE_CHARACTERS = 300;

/** Languages of samples and guides, in addition to those of the targets. */
const LANGUAGES = ['bash', 'typescript', 'yaml'];

let loading: Promise<Highlight> | undefined;

/** Loads the grammars, once. */
export function loadHighlight(targets: readonly Target[]): Promise<Highlight> {
  loading ??= load(targets);
  return loading;
}

async function load(targets: readonly Target[]): Promise<Highlight> {
  const theme = 'classes';
  const languages = new Set([...LANGUAGES, ...targets.flatMap(({ language }) => language ?? [])]);
  const [engine, ...grammars] = await Promise.all([
    createOnigurumaEngine(import('shiki/wasm')),
    ...[...languages].map((language) => bundledLanguages[language as BundledLanguage]()),
  ]);
  const highlighter = await createHighlighterCore({
    themes: [createCssVariablesTheme({ name: theme, variablePrefix: '--' })],
    langs: grammars.map((grammar) => grammar.default),
    langAlias: { js: 'typescript', javascript: 'typescript' },
    engine,
  });
  const known = new Set(highlighter.getLoadedLanguages());
  return (code, language, budget = { left_characters: Infinity }) => {
    if (code.length > MAX_CHARACTERS) return escapeHtml(code);
    if (language === 'json') return highlightJson(code);
    if (!known.has(language)) return escapeHtml(code);
    budget.left_characters -= code.length;
    if (budget.left_characters < 0) return escapeHtml(code);
    // No time limit: the output must not depend on how busy the machine is.
    const lines = highlighter.codeToTokensBase(code, {
      lang: language,
      theme,
      tokenizeTimeLimit: 0,
      tokenizeMaxLineLength: MAX_LINE_CHARACTERS,
    });
    return asHtml(
      lines
        .map((line) => line.map((token) => span(token.content, token.color)).join(''))
        .join('\n'),
    );
  };
}

// Colors of the theme have the form "var(--token-keyword)".
function span(content: string, color: string | undefined): string {
  const [, kind] = /--token-([a-z]+)/.exec(color ?? '') ?? [];
  const text = escapeHtml(content);
  return kind === undefined || content.trim() === ''
    ? text
    : `<span class="t-${kind}">${text}</span>`;
}

/** A string (before a colon: a member's name; its end may be missing), a number or a word. */
const TOKEN = /("(?:[^"\\]|\\.)*"?)(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;

/** Highlights JSON, which is most of the code of a site, faster than a grammar. */
function highlightJson(code: string): Html {
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
