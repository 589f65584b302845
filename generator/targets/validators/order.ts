import { isObject } from '../../../common/json/value.ts';
import { walkSchemas } from '../../schema/subschemas.ts';
import type { CompilerInput } from '../../violations/create-ajv.ts';

/**
 * The schemas that are wanted and those they refer to, used ones before their users: each can then
 * call the others directly, but for where they go in a circle.
 */
export function orderByUse(
  inputs: readonly CompilerInput[],
  wanted: readonly string[],
): readonly CompilerInput[] {
  const byId = new Map(inputs.map((input) => [input.id, input]));
  const ordered: CompilerInput[] = [];
  const met = new Set<string>();
  // A stack rather than recursion: references may go thousands of schemas deep.
  const stack: { readonly id: string; readonly isDone: boolean }[] = [];
  for (const root of wanted) {
    stack.push({ id: root, isDone: false });
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const input = byId.get(next.id)!;
      if (next.isDone) ordered.push(input);
      if (next.isDone || met.has(next.id)) continue;
      met.add(next.id);
      stack.push({ id: next.id, isDone: true });
      for (const id of referencesIn(input)) stack.push({ id, isDone: false });
    }
  }
  return ordered;
}

function referencesIn({ schema }: CompilerInput): readonly string[] {
  const places = walkSchemas([{ schema, holder: [schema], key: 0, pointer: '' }]);
  return [...places].flatMap(({ schema: each }) =>
    isObject(each) && typeof each['$ref'] === 'string' ? [each['$ref']] : [],
  );
}
