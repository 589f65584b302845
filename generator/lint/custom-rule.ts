import type { Severity } from '../../common/diagnostic.ts';
import { joinPointer, splitPointer } from '../../common/json/pointer.ts';
import { resolvePointer } from '../../common/json/reference.ts';
import type { Json, JsonObject, Schema } from '../../common/json/value.ts';
import { createAjv } from '../violations/create-ajv.ts';
import { factsOf } from '../violations/facts.ts';
import { findingsOf, type CompiledValidator } from '../../common/validators-runtime/violations.js';
import type { RuleFinding, Rule } from './rule.ts';
import { errorsOf } from './value-checker.ts';

/** A rule of a project: what stands at some places has to be valid against a schema. */
export interface CustomRule {
  readonly id: string;
  readonly level: Severity;
  /** What is wrong where it is broken, as one sentence without a full stop. */
  readonly message: string;
  readonly fix?: string | undefined;
  /** JSON pointer into the document, "*" for any member or element; references are followed. */
  readonly at: string;
  /** Only what is valid against this JSON Schema is looked at. */
  readonly where?: Schema | undefined;
  /** The JSON Schema (draft-07) that what is looked at has to be valid against. */
  readonly must: Schema;
}

/** Findings reported per place. */
const MAX_FINDINGS = 5;

/**
 * A project's rule as a row of the table.
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
    fix: custom.fix ?? 'make it match the schema of the rule',
    options: {},
    bad: '',
    good: '',
    *check({ document }): Generator<RuleFinding> {
      for (const { value, pointer } of select(document, splitPointer(at))) {
        if (where(value).length > 0) continue;
        for (const { path, what } of must(value)) {
          yield { pointer: pointer + path, message: `${message}: ${what}` };
        }
      }
    },
  };
}

interface Breach {
  readonly path: string;
  readonly what: string;
}

function compile(schema: Schema): (value: Json) => readonly Breach[] {
  const check = createAjv([{ id: 'rule', schema }], { ownProperties: true }).getSchema('rule');
  const facts = Object.fromEntries(factsOf(schema, 'rule#'));
  return (value) => {
    const errors = errorsOf(check as CompiledValidator, value);
    return errors === null ? [] : findingsOf(errors, { facts, value, most: MAX_FINDINGS });
  };
}

interface Selected {
  readonly value: Json;
  readonly pointer: string;
}

/** What a pattern of pointers leads to, each place once, references followed. */
function select(document: JsonObject, tokens: readonly string[]): Iterable<Selected> {
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
  return [...found].map(([pointer, value]) => ({ pointer, value }));
}
