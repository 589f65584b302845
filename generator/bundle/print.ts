import { parse, stringify } from 'yaml';
import { printExact } from '../../common/json/exact.ts';
import type { JsonObject } from '../../common/json/value.ts';

export const bundleFormats = ['json', 'yaml'] as const;

export type BundleFormat = (typeof bundleFormats)[number];

/** A document as text that reads as the same document again, with every digit of its integers. */
export function printDocument(document: JsonObject, format: BundleFormat): string {
  const json = `${printExact(document, 2)}\n`;
  if (format === 'json') return json;
  // JSON is YAML: read as such, wide integers are bigints, which are printed as they are.
  const value: unknown = parse(json, { intAsBigInt: true });
  return stringify(value, { lineWidth: 100, aliasDuplicateObjects: false });
}
