import { parse, stringify } from 'yaml';
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
  return stringify(value, { lineWidth: 100, aliasDuplicateObjects: false });
}
