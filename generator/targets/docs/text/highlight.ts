import { createCssVariablesTheme, createHighlighterCore } from 'shiki/core';
import { createOnigurumaEngine } from 'shiki/engine/oniguruma';
import { bundledLanguages, type BundledLanguage } from 'shiki/langs';
import { loadTargets } from '../../index.ts';
import { asHtml, escapeHtml, type Html } from '../html.ts';
import { highlightJson } from './highlight-json.ts';

/** Code as HTML: spans with classes, since the Content-Security-Policy allows no inline styles. */
export type Highlight = (code: string, language: string) => Html;

/** Longer code is shown plain: nobody reads it for its colours. */
const MAX_CHARACTERS = 20_000;

/** Languages of the samples and guides; those of the targets are added. */
const LANGUAGES = ['bash', 'typescript', 'yaml'];

let loading: Promise<Highlight> | undefined;

/** Loads the grammars, once. */
export function loadHighlight(): Promise<Highlight> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Highlight> {
  const theme = 'classes';
  const targets = await loadTargets();
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
  return (code, language) => {
    if (code.length > MAX_CHARACTERS) return escapeHtml(code);
    if (language === 'json') return highlightJson(code);
    if (!known.has(language)) return escapeHtml(code);
    // No limit of time: what is shown must not depend on how busy the machine is.
    const options = { lang: language, theme, tokenizeTimeLimit: 0 };
    const lines = highlighter.codeToTokensBase(code, options);
    return asHtml(
      lines
        .map((line) => line.map((token) => span(token.content, token.color)).join(''))
        .join('\n'),
    );
  };
}

// The theme's colours read "var(--token-keyword)".
function span(content: string, color: string | undefined): string {
  const [, kind] = /--token-([a-z]+)/.exec(color ?? '') ?? [];
  const text = escapeHtml(content);
  return kind === undefined || content.trim() === ''
    ? text
    : `<span class="t-${kind}">${text}</span>`;
}
