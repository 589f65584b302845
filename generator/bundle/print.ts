import { Document, visit } from 'yaml';
import { escapeJson } from '../../common/escape/json.ts';
import { escapeHidden, hex } from '../../common/escape/text.ts';
import { printExact, toBigInts } from '../../common/json/exact.ts';
import type { JsonObject } from '../../common/json/value.ts';

export const bundleFormats = ['json', 'yaml'] as const;

export type BundleFormat = (typeof bundleFormats)[number];

/** Prints a document, with every digit of its integers. */
export function printDocument(document: JsonObject, format: BundleFormat): string {
  if (format === 'json') return `${escapeJson(printExact(document, 2))}\n`;
  // Quotes what YAML 1.1 reads as another value, such as `no` and the merge key `<<`, which readers of
  // 1.2 support too.
  const yaml = new Document(toBigInts(document), {
    aliasDuplicateObjects: false,
    compat: 'yaml-1.1',
  });
  visit(yaml, {
    Scalar(_, scalar) {
      const { value } = scalar;
      if (typeof value !== 'string') return;
      // The library removes the spaces from lines that contain only spaces.
      const isQuoted = escapeText(value) !== value || RUNNER_COMMAND.test(value);
      if (isQuoted || /^[ \t]+$/m.test(value)) scalar.type = 'QUOTE_DOUBLE';
    },
  });
  // Folded at the width of a line, some strings would be read back as others.
  return escapeText(yaml.toString({ lineWidth: 0, doubleQuotedAsJSON: true }));
}

/** What may begin a line of output, where a CI runner takes it for a command. */
const RUNNER_COMMAND = /(?<!\S)::/;

// Some hidden characters control a terminal, and some end a line in YAML 1.1. They can be escaped only in
// a quoted string.
function escapeText(text: string): string {
  return escapeHidden(text, (codePoint) =>
    codePoint > 0xffff ? `\\U${hex(codePoint, 8)}` : `\\u${hex(codePoint, 4)}`,
  );
}
