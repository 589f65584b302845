import { joinPointer, splitPointer } from '../../common/json/pointer.ts';
import { resolvePointer } from '../../common/json/reference.ts';
import type { Json, JsonObject, Schema } from '../../common/json/value.ts';
import type { Finding } from '../../common/validators-runtime/violations.js';
import { definitionParts } from '../validation/extension-schema.ts';
import { createCheck } from '../violations/create-ajv.ts';
import type { RuleFinding, Rule } from './rule.ts';
import type { CustomRule } from './schema.ts';

/** Maximum number of findings reported per place. */
const MAX_FINDINGS = 5;

/**
 * Converts a rule of a project to a row of the table.
 *
 * @throws Error when one of its schemas cannot be compiled
 */
export function toRule(custom: CustomRule): Rule {
  const { id, level, message, at } = custom;
  const where = compile(custom.where ?? true);
  const must = compile(custom.must);
  return {
    id,
    family: 'Project',
    levels: { recommended: level, strict: level },
    title: message,
    protects: message,
    source: { text: 'a rule of this project', url: '' },
    fix: custom.fix ?? 'make the value match the schema of the rule',
    options: {},
    bad: '',
    good: '',
    *check({ document }): Generator<RuleFinding> {
      for (const [pointer, value] of select(document, splitPointer(at))) {
        if (where(value).length > 0) continue;
        for (const { path, what } of must(value)) {
          yield { pointer: pointer + path, message: `${message}: ${what}` };
        }
      }
    },
  };
}

function compile(schema: Schema): (value: Json) => readonly Finding[] {
  const options = { ownProperties: true, maxFindings: MAX_FINDINGS };
  const parts = definitionParts(schema, 'rule', { hasComponents: false });
  return createCheck(parts, 'rule', options);
}

/** Returns the values at a pattern of pointers, each place once, references followed. */
function select(document: JsonObject, tokens: readonly string[]): ReadonlyMap<string, Json> {
  let found = new Map<string, Json>([['', document]]);
  for (const token of tokens) {
    const next = new Map<string, Json>();
    for (const [pointer, value] of found) {
      if (typeof value !== 'object' || value === null) continue;
      const keys = token === '*' ? Object.keys(value) : [token];
      for (const key of keys) {
        const target = resolvePointer(document, joinPointer(pointer, key));
        if (target !== null) next.set(target.pointer, target.value);
      }
    }
    found = next;
  }
  return found;
}
