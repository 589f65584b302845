import { printMember } from '../../../../common/json/exact.ts';
import { isObject, type JsonObject, type Schema } from '../../../../common/json/value.ts';
import { componentOf } from '../../../model/type-names.ts';
import { schemaList } from '../../../schema/subschemas.ts';
import type { Site } from '../site.ts';
import type { TypePart } from './view.ts';

/** Deeper types are abbreviated to "…". */
const MAX_DEPTH = 4;

const MAX_VARIANTS = 6;

/** Describes the type of a schema in one line, with links to components. */
export function labelType(schema: Schema, site: Site, depth = 0): readonly TypePart[] {
  if (!isObject(schema)) return plain(schema ? 'any value' : 'nothing');
  const component = componentOf(schema);
  if (component !== null && site.model.schemas.has(component)) {
    return [{ text: component, href: `${site.typePath(component)}.html` }];
  }
  if (depth >= MAX_DEPTH) return plain('…');
  const union = unionOf(schema);
  if (union !== null && !('properties' in schema)) return labelUnion(union, site, depth + 1);
  const parts = schemaList(schema['allOf']);
  if (parts.length > 0 && schema['properties'] === undefined) {
    return parts.length === 1 ? labelType(parts[0]!, site, depth + 1) : plain('object');
  }
  if ('const' in schema) return plain(printMember(schema, 'const'));
  return labelPlain(schema, site, depth);
}

function labelPlain(schema: JsonObject, site: Site, depth: number): readonly TypePart[] {
  const types = typesOf(schema);
  const format = typeof schema['format'] === 'string' ? ` (${schema['format']})` : '';
  const labels = types.map((type) => {
    if (type === 'array') return labelArray(schema, site, depth);
    return plain(['string', 'integer', 'number'].includes(type) ? type + format : type);
  });
  return joined(labels, ' or ');
}

function labelArray(schema: JsonObject, site: Site, depth: number): readonly TypePart[] {
  const items = schema['items'];
  if (Array.isArray(items)) {
    const members = (items as readonly Schema[]).map((item) => labelType(item, site, depth + 1));
    return [...plain('['), ...joined(members.slice(0, MAX_VARIANTS), ', '), ...plain(']')];
  }
  if (items === undefined || items === true) return plain('array');
  return [...plain('array of '), ...labelType(items as Schema, site, depth + 1)];
}

function labelUnion(variants: readonly Schema[], site: Site, depth: number): readonly TypePart[] {
  const labels = variants.map((variant) => labelType(variant, site, depth));
  const distinct = [...new Map(labels.map((label) => [textOf(label), label])).values()];
  if (distinct.length > MAX_VARIANTS) return plain(`one of ${distinct.length} types`);
  return joined(distinct, ' or ');
}

/** Returns `type`, or infers it from other keywords. */
function typesOf(schema: JsonObject): readonly string[] {
  const { type } = schema;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.map(String);
  const has = (...keywords: readonly string[]) => keywords.some((keyword) => keyword in schema);
  if (has('properties', 'patternProperties')) return ['object'];
  if (isObject(schema['additionalProperties'])) return ['object'];
  if (has('items', 'contains')) return ['array'];
  if (has('pattern', 'minLength', 'maxLength')) return ['string'];
  const choices = schema['enum'];
  if (!Array.isArray(choices)) return ['any value'];
  const typeOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value);
  return [...new Set(choices.map((value) => (value === null ? 'null' : typeOf(value))))];
}

/** Returns the variants of `oneOf` or `anyOf`, or null if they only require members. */
export function unionOf(schema: JsonObject): readonly Schema[] | null {
  const variants = [...schemaList(schema['oneOf']), ...schemaList(schema['anyOf'])];
  const isUnion = variants.length > 0 && !variants.every(isRequirement);
  return isUnion ? variants : null;
}

/** Checks whether a schema only requires members. */
export function isRequirement(schema: Schema): schema is JsonObject {
  if (!isObject(schema) || !Array.isArray(schema['required'])) return false;
  return Object.keys(schema).every((key) => ['required', 'properties', 'title'].includes(key));
}

export function textOf(parts: readonly TypePart[]): string {
  return parts.map(({ text }) => text).join('');
}

function joined(labels: readonly (readonly TypePart[])[], separator: string): readonly TypePart[] {
  return labels.flatMap((label, index) => (index === 0 ? label : [...plain(separator), ...label]));
}

function plain(text: string): readonly TypePart[] {
  return [{ text, href: '' }];
}
