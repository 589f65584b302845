import { isObject, type Json, type JsonObject } from '../../common/json/value.ts';

/** Joins the settings of files; later ones win. */
export function mergeSettings(files: readonly Json[]): JsonObject {
  const merged = new Map<string, Json>();
  for (const own of files.filter(isObject)) {
    for (const [key, value] of Object.entries(own)) {
      const base = merged.get(key);
      const isSection = key === 'lint' || key === 'diff';
      const isBoth = isSection && isObject(base) && isObject(value);
      merged.set(key, isBoth ? mergeSection(base, value) : value);
    }
  }
  return Object.fromEntries(merged);
}

function mergeSection(base: JsonObject, own: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...base, ...own };
  const hasOverrides = listIn(base, 'overrides').length > 0;
  if (isObject(base['rules']) && isObject(own['rules'])) {
    merged['rules'] = mergeRules(base['rules'], own['rules']);
  }
  // Rules of a later file win over the overrides of an earlier one.
  const rules = hasOverrides && isObject(own['rules']) ? [{ at: '', rules: own['rules'] }] : [];
  const overrides = [...listIn(base, 'overrides'), ...rules, ...listIn(own, 'overrides')];
  if (overrides.length > 0) merged['overrides'] = overrides;
  const custom = listIn(own, 'custom');
  const replaced = new Set(custom.map(idOf));
  const kept = listIn(base, 'custom').filter((rule) => !replaced.has(idOf(rule)));
  if (kept.length + custom.length > 0) merged['custom'] = [...kept, ...custom];
  return merged;
}

/** Merges rules. A level without options keeps the options of an earlier file. */
function mergeRules(base: JsonObject, own: JsonObject): JsonObject {
  const settings = Object.entries(own).map(([id, setting]): [string, Json] => {
    const before = Object.hasOwn(base, id) ? base[id] : undefined;
    const keepsOptions = typeof setting === 'string' && Array.isArray(before);
    return [id, keepsOptions ? [setting, before[1] as Json] : setting];
  });
  return { ...base, ...Object.fromEntries(settings) };
}

function listIn(section: JsonObject, key: string): readonly Json[] {
  const list = section[key];
  return Array.isArray(list) ? (list as readonly Json[]) : [];
}

function idOf(rule: Json): Json | undefined {
  return isObject(rule) ? rule['id'] : undefined;
}
