import { Document, parse, visit } from 'yaml';
import { hex } from '../../common/escape/text.ts';
import { printExact } from '../../common/json/exact.ts';
import type { JsonObject } from '../../common/json/value.ts';

export const bundleFormats = ['json', 'yaml'] as const;

export type BundleFormat = (typeof bundleFormats)[number];

/** Prints a document, with every digit of its integers. */
export function printDocument(document: JsonObject, format: BundleFormat): string {
  const json = `${printExact(document, 2)}\n`;
  if (format === 'json') return json;
  // JSON is YAML: parsed as such, wide integers become bigints, which keep their digits.
  const value: unknown = parse(json, { intAsBigInt: true });
  const yaml = new Document(value, { aliasDuplicateObjects: false });
  visit(yaml, {
    Scalar(_, scalar) {
      const { value } = scalar;
      if (typeof value === 'string' && LINE_ENDS.test(value)) scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return yaml.toString({ lineWidth: 100 }).replaceAll(LINE_END, (character) => {
    return `\\u${hex(character.codePointAt(0)!, 4)}`;
  });
}

// Readers of YAML 1.1 take these for the end of a line; only a quoted text can have them escaped.
const LINE_END = /[\u0085\u2028\u2029]/g;
const LINE_ENDS = /[\u0085\u2028\u2029]/;
