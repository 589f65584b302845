import { escapeJson } from '../../../common/escape/json.ts';
import { scriptKey } from '../../../common/escape/script.ts';
import { printExact } from '../../../common/json/exact.ts';
import type { Json } from '../../../common/json/value.ts';
import type { ExampleModel, MethodModel } from '../../model/model.ts';
import { exactLiteral } from '../literal.ts';

/** The pairing that shows a method best: one with a result that is not null, if there is one. */
export function chooseExample(method: MethodModel): ExampleModel | null {
  const answered = method.examples.filter((example) => !('x-error' in example.extensions));
  const full = answered.find(({ result }) => result?.value !== undefined && result.value !== null);
  return full ?? answered[0] ?? method.examples[0] ?? null;
}

/** The call of an example, as an expression: `client.ethGetProof("0x…", ["0x…"])`. */
export function writeCall(method: MethodModel, example: ExampleModel): string {
  const values = method.params.map(({ name }, index) => {
    const named = example.params.find((each) => each.name === name);
    return (named ?? example.params[index])?.value;
  });
  const args = method.paramStructure === 'by-name' ? byName(method, values) : byPosition(values);
  return `client.${method.identifier}(${args.join(', ')})`;
}

function byPosition(values: readonly (Json | undefined)[]): readonly string[] {
  const length = values.findLastIndex((value) => value !== undefined) + 1;
  return values
    .slice(0, length)
    .map((value) => (value === undefined ? 'undefined' : exactLiteral(value)));
}

function byName(method: MethodModel, values: readonly (Json | undefined)[]): readonly string[] {
  if (method.params.length === 0) return [];
  const members = method.params.flatMap(({ name }, index) => {
    const value = values[index];
    return value === undefined ? [] : [`${scriptKey(name)}: ${exactLiteral(value)}`];
  });
  return [`{ ${members.join(', ')} }`];
}

/** A result as the start of its JSON, short enough for a comment's line. */
export function excerptOf(value: Json): string {
  const text = escapeJson(printExact(value));
  return text.length > 90 ? `${text.slice(0, 89)}…` : text;
}
