export interface RegexLiteral {
  readonly source: string;
  readonly flags: string;
  /** From 1 on. */
  readonly line: number;
}

/** What a slash stands behind that begins a regular expression; behind others it divides. */
const BEFORE_REGEX =
  /(?:^|[([{},;:=!&|?+\-*%<>~^]|\b(?:return|typeof|case|in|of|void|yield|await))$/;
const TOKEN =
  /\s+|\/\/.*|\/\*[^]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|[\w$]+|\/((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])*)\/([a-z]*)|[^]/y;

/** Finds the regular expressions written in a TypeScript or JavaScript text. */
export function regexLiteralsOf(text: string): readonly RegexLiteral[] {
  const found: RegexLiteral[] = [];
  /** For each template under way, how many braces are open within its `${`. */
  const templates: number[] = [];
  let before = '';
  let at = 0;
  while (at < text.length) {
    const char = text[at]!;
    if (char === '`' || (char === '}' && templates.at(-1) === 0)) {
      if (char === '}') templates.pop();
      at = endOfTemplatePart(text, at + 1);
      if (text[at - 1] === '{') templates.push(0);
      before = text[at - 1] === '{' ? '{' : '`';
      continue;
    }
    if (char === '{' && templates.length > 0) templates[templates.length - 1]! += 1;
    if (char === '}' && templates.length > 0) templates[templates.length - 1]! -= 1;
    TOKEN.lastIndex = at;
    const [token, source, flags] = TOKEN.exec(text)!;
    const isSkipped = /^(?:\s|\/[/*])/.test(token);
    if (source !== undefined && !isSkipped && !BEFORE_REGEX.test(before)) {
      // A division.
      before = '/';
      at += 1;
      continue;
    }
    if (source !== undefined && !isSkipped) {
      const line = text.slice(0, at).split('\n').length;
      found.push({ source, flags: flags!, line });
    }
    if (!isSkipped) before = token;
    at += token.length;
  }
  return found;
}

/** Where a part of a template ends: behind its last quote, or behind the next `${`. */
function endOfTemplatePart(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '`') return at + 1;
    else if (text[at] === '$' && text[at + 1] === '{') return at + 2;
  }
  return text.length;
}
