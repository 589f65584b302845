import { joinPointer, splitPointer } from '../../common/json/pointer.ts';
import type { Json, JsonObject } from '../../common/json/value.ts';
import { isLiteral } from '../bundle/references.ts';

interface DocumentMember {
  readonly key: string;
  readonly value: Json;
  readonly pointer: string;
  /** True for data, such as an extension or a default: its own members are not visited. */
  readonly isData: boolean;
}

/** Yields the members of a document's objects and lists at any depth, except those of data. */
export function* documentMembers(document: JsonObject): Generator<DocumentMember> {
  const ahead: [Json, string][] = [[document, '']];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const [holder, parent] = next;
    if (typeof holder !== 'object' || holder === null) continue;
    const tokens = splitPointer(parent);
    for (const [key, value] of (Object.entries(holder) as [string, Json][]).toReversed()) {
      const pointer = joinPointer(parent, key);
      const isData = isLiteral([...tokens, key]);
      yield { key, value, pointer, isData };
      if (!isData) ahead.push([value, pointer]);
    }
  }
}
