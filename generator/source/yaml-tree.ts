import { Composer, Document, Parser, type CST, type LineCounter, type YAMLParseError } from 'yaml';
import { MAX_ERRORS } from './problems.ts';

/** An error of the YAML library, at an offset of the text. */
export interface YamlError extends Pick<YAMLParseError, 'code' | 'message'> {
  readonly offset: number;
}

/** The tree of a YAML text; empty if it was not read to the end because of its errors. */
interface YamlTree {
  readonly tree: Document;
  readonly errors: readonly YamlError[];
}

class TooManyErrors extends Error {}

/**
 * Parses a YAML text. Unlike `parseDocument` of the library, it stops after `MAX_ERRORS` errors: each
 * takes time and memory, and a text of 1 MB may have hundreds of thousands.
 */
export function parseTree(text: string, lines: LineCounter): YamlTree {
  const errors: YamlError[] = [];
  const add = (error: YamlError): void => {
    if (errors.length <= MAX_ERRORS) errors.push(error);
    if (errors.length > MAX_ERRORS) throw new TooManyErrors();
  };
  const composer = new Composer({
    intAsBigInt: true,
    // Merge keys are part of YAML 1.1; editors and other tools for YAML 1.2 support them too.
    merge: true,
    // Only the tags of JSON: programs interpret !!binary, !!set and !!timestamp differently.
    resolveKnownTags: false,
    // Duplicate names are reported with their pointers, as in JSON.
    uniqueKeys: false,
    // Warnings would quote the text as it is.
    logLevel: 'error',
  });
  // The library offers no other way to stop at an error.
  composer['onError'] = (
    place: Place,
    code: YamlError['code'],
    message: string,
    isWarning = false,
  ): void => {
    // Other warnings are about directives, which have no effect.
    if (isWarning && code !== 'TAG_RESOLVE_FAILED') return;
    add({ code, message, offset: offsetOf(place) });
  };
  let tree: Document | undefined;
  try {
    const tokens = withoutErrors(new Parser(lines.addNewLine).parse(text), add);
    for (const document of composer.compose(tokens, true, text.length)) {
      if (tree !== undefined) {
        add({ code: 'MULTIPLE_DOCS', message: '', offset: document.range[0] });
        break;
      }
      tree = document as Document;
    }
    for (const { code, message, pos } of tree?.errors ?? []) add({ code, message, offset: pos[0] });
  } catch (error) {
    if (!(error instanceof TooManyErrors)) throw error;
  }
  return { tree: tree ?? new Document(), errors };
}

/** Passes the tokens that are errors to `add`, and yields the others. */
function* withoutErrors(
  tokens: Iterable<CST.Token>,
  add: (error: YamlError) => void,
): Generator<CST.Token> {
  for (const token of tokens) {
    if (token.type !== 'error') yield token;
    else {
      const what = token.source === '' ? '' : `: ${JSON.stringify(token.source)}`;
      const message = `${token.message}${what}`;
      add({ code: 'UNEXPECTED_TOKEN', message, offset: token.offset });
    }
  }
}

/** Where the library finds an error. */
type Place = number | readonly number[] | { readonly offset: number };

function offsetOf(place: Place): number {
  if (typeof place === 'number') return place;
  return 'offset' in place ? place.offset : place[0]!;
}
