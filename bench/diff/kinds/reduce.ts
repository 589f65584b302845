import { splitPointer } from '../../../common/json/pointer.ts';
import type { PlainDocument } from '../corpus.ts';

/** A document with only some of its methods, and the components that they lead to. */
export function reduce(document: PlainDocument, names: ReadonlySet<string>): PlainDocument {
  const methods = document.methods.filter(({ name }) => names.has(name));
  const all = (document['components'] ?? {}) as Readonly<Record<string, Record<string, unknown>>>;
  const kept: Record<string, Record<string, unknown>> = {};
  const ahead: unknown[] = [methods];
  // Iterating an array includes elements that are added meanwhile.
  for (const next of ahead) {
    if (typeof next !== 'object' || next === null) continue;
    ahead.push(...Object.values(next));
    const reference = (next as { $ref?: unknown }).$ref;
    if (typeof reference !== 'string') continue;
    const [, kind, name] = splitPointer(decodeURIComponent(reference.slice(1)));
    const target = all[kind!]?.[name!];
    if (target === undefined || kept[kind!]?.[name!] !== undefined) continue;
    kept[kind!] = { ...kept[kind!], [name!]: target };
    ahead.push(target);
  }
  // Components of the example, to which nothing refers.
  for (const name of ['Tag', 'Label'])
    if (all['schemas']?.[name] !== undefined)
      kept['schemas'] = { ...kept['schemas'], [name]: all['schemas'][name] };
  return { ...document, methods, components: kept };
}
