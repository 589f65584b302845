import { joinPointer, splitPointer, valueAt } from '../../common/json/pointer.ts';
import type { Omission } from '../../common/diagnostic.ts';
import { isObject, type Json, type JsonObject } from '../../common/json/value.ts';
import { listAt, SCHEMA_ROOT } from '../schema/document-schemas.ts';
import { listKeywords, namedKeywords, singleKeywords } from '../schema/keywords.ts';
import { textAt } from '../model/member.ts';

/** The smallest part of a document that can be left out, or replaced, so that the rest can be used. */
export interface OmissionPlan extends Pick<Omission, 'effect' | 'method'> {
  readonly pointer: string;
  /** Undefined to remove the part. */
  readonly replacement?: Json;
}

/** A kind of part that can be left out, or replaced, if it is broken. */
interface Row {
  /** Matches the pointer to such a part, at the start of the pointer to what is broken. */
  readonly pattern: RegExp;
  plan(document: JsonObject, pointer: string): Omit<OmissionPlan, 'pointer'>;
}

/**
 * The first matching row applies. Extensions and members that callers do not need are left out alone; a
 * method with broken params or a broken result is left out as a whole, because it cannot be called
 * without them.
 */
const ROWS: readonly Row[] = [
  {
    pattern: /^\/(?:methods\/\d+|info|servers\/\d+|externalDocs)(?:\/[^/]+)*?\/x-[^/]+/,
    plan: leaveOut,
  },
  {
    pattern: /^\/methods\/\d+\/(?:examples|links|tags|errors|servers)\/\d+/,
    plan: leaveOut,
  },
  {
    pattern: /^\/methods\/\d+\/(?!(?:name|params|result|paramStructure)(?:\/|$))[^/]+/,
    plan: leaveOut,
  },
  {
    pattern:
      /^\/methods\/\d+\/(?:params\/\d+\/(?!(?:name|required)(?:\/|$))|result\/(?!name(?:\/|$)))[^/]+/,
    plan: leaveOut,
  },
  { pattern: /^\/methods\/\d+\/result\/name$/, plan: () => readAs('result') },
  { pattern: /^\/methods\/\d+/, plan: leaveOutMethod },
  {
    pattern: /^\/components\/contentDescriptors\/[^/]+\/(?!(?:name|required)(?:\/|$))[^/]+/,
    plan: leaveOut,
  },
  { pattern: /^\/components\/[^/]+(?:\/[^/]+)?/, plan: leaveOut },
  { pattern: /^\/(?:servers|x-errors|x-extensions)\/\d+/, plan: leaveOut },
  {
    pattern: /^\/info\/(?:title|version)$/,
    plan: (document, pointer) => {
      const written = valueAt(document, pointer);
      return readAs(typeof written === 'number' ? String(written) : '');
    },
  },
  { pattern: /^\/info\/[^/]+/, plan: leaveOut },
  {
    pattern: /^\/info$/,
    plan: () => ({
      ...readAs(''),
      replacement: { title: '', version: '' },
      effect: 'title and version are read as ""',
    }),
  },
  { pattern: /^\/(?!(?:openrpc|info|methods)(?:\/|$))[^/]+/, plan: leaveOut },
];

/**
 * Returns what to leave out of a document because of what is broken at `pointer`, or null when nothing
 * of use would be left. A member that is not known is left out alone.
 */
export function planOmission(
  document: JsonObject,
  pointer: string,
  isUnknown = false,
): OmissionPlan | null {
  if (isUnknown) return { pointer, ...leaveOut(document, pointer) };
  const [root] = SCHEMA_ROOT.exec(pointer) ?? [];
  if (root !== undefined) return planInSchema(document, root, pointer);
  for (const { pattern, plan } of ROWS) {
    const [part] = pattern.exec(pointer) ?? [];
    if (part !== undefined) return { pointer: part, ...plan(document, part) };
  }
  return null;
}

/**
 * Plans an omission in a schema. An invalid keyword is ignored, as unknown ones are; an invalid schema
 * allows any value.
 */
function planInSchema(document: JsonObject, root: string, pointer: string): OmissionPlan {
  const method = methodAt(document, pointer);
  const where = method === null ? '' : ` in ${method}`;
  const tokens = splitPointer(pointer.slice(root.length));
  let at = root;
  for (let index = 0; index < tokens.length; index += 1) {
    const keyword = tokens[index]!;
    const below = joinPointer(at, keyword);
    const held = valueAt(document, below);
    const isList =
      (listKeywords.has(keyword) && (keyword !== 'items' || Array.isArray(held))) ||
      namedKeywords.has(keyword);
    const isWithin = isList ? index + 1 < tokens.length : singleKeywords.has(keyword);
    if (!isWithin) {
      const effect = `the keyword "${keyword}" is ignored${where}`;
      return { pointer: below, effect, method: null };
    }
    at = isList ? joinPointer(below, tokens[(index += 1)]!) : below;
    // A key of `patternProperties` is part of the keyword: a regular expression.
    const isPattern = keyword === 'patternProperties' && index === tokens.length - 1;
    if (isPattern) return { pointer: at, effect: `this pattern is ignored${where}`, method: null };
  }
  return { pointer: at, replacement: true, effect: openedAt(document, pointer), method: null };
}

/** Returns the effect of a schema at `pointer` that cannot be read and therefore accepts any value. */
export function openedAt(document: JsonObject, pointer: string): string {
  const method = methodAt(document, pointer);
  return `any value is accepted there${method === null ? '' : `, in ${method}`}`;
}

function leaveOut(document: JsonObject, pointer: string): Omit<OmissionPlan, 'pointer'> {
  const tokens = splitPointer(pointer);
  const last = tokens.at(-1)!;
  const list = tokens.at(-2) ?? '';
  const what = /^\d+$/.test(last) ? `this ${NOUNS.get(list) ?? 'row'}` : `"${last}"`;
  const method = methodAt(document, pointer);
  const effect = `${what} is left out${method === null ? '' : ` of ${method}`}`;
  return { effect, method: null };
}

const NOUNS = new Map(
  ['example', 'link', 'tag', 'error', 'server'].map((noun) => [`${noun}s`, noun]),
);

function leaveOutMethod(document: JsonObject, pointer: string): Omit<OmissionPlan, 'pointer'> {
  const index = Number(splitPointer(pointer)[1]);
  const name = nameOf(document, index);
  const isKept =
    name !== null &&
    listAt(document, 'methods').some((other, at) => at !== index && other['name'] === name);
  const which = isKept ? 'this occurrence of the method' : 'the method';
  const effect = `${which} ${name === null ? `at index ${index}` : `"${name}"`} is left out`;
  return { effect, method: name };
}

function readAs(text: string): Omit<OmissionPlan, 'pointer'> {
  return { replacement: text, effect: `it is read as "${text}"`, method: null };
}

/** Returns `the method "a"` for a place in it, or null. */
function methodAt(document: JsonObject, pointer: string): string | null {
  const [, index] = /^\/methods\/(\d+)\//.exec(pointer) ?? [];
  const name = index === undefined ? null : nameOf(document, Number(index));
  return name === null ? null : `the method "${name}"`;
}

function nameOf(document: JsonObject, index: number): string | null {
  const method = valueAt(document, `/methods/${index}`);
  return isObject(method) ? textAt(method, 'name') || null : null;
}
