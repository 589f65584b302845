import { codeSpan } from '../../../common/escape/markdown.ts';
import { scriptKey } from '../../../common/escape/script.ts';
import type { Json } from '../../../common/json/value.ts';
import type { ExampleModel, MethodModel, Model } from '../../model/model.ts';
import { nameErrorClasses } from '../client-view/errors.ts';
import { argumentsOf } from '../client-view/methods.ts';
import { viewReadme as viewShared } from '../client-view/readme.ts';
import { exactLiteral, literal } from '../literal.ts';
import { findWideIntegers } from './wide-integers.ts';

/** Returns the view of the README and llms.txt templates. */
export function viewReadme(model: Model) {
  const shared = viewShared(model, {
    classes: nameErrorClasses(model),
    stringLiteral: literal,
    identifierOf: ({ identifier }) => identifier,
    writeCall,
  });
  const wideIntegers = findWideIntegers(model);
  return {
    ...shared,
    methods: shared.methods.map((method, index) => ({
      ...method,
      paramNames: paramNames(model.methods[index]!),
    })),
    wideIntegers: wideIntegers.map(codeSpan),
    isWide: wideIntegers.length > 0,
  };
}

function paramNames({ paramStructure, params }: MethodModel): string {
  if (paramStructure === 'by-name') return 'params';
  return params.map(({ identifier }) => identifier).join(', ');
}

/** Writes the call of an example: `client.ethGetProof("0x…", ["0x…"])`. */
function writeCall(method: MethodModel, example: ExampleModel): string {
  const values = argumentsOf(method, example);
  const args = method.paramStructure === 'by-name' ? byName(method, values) : byPosition(values);
  return `client.${method.identifier}(${args.join(', ')})`;
}

function byPosition(values: readonly (Json | undefined)[]): readonly string[] {
  const length = values.findLastIndex((value) => value !== undefined) + 1;
  return values
    .slice(0, length)
    .map((value) => (value === undefined ? 'undefined' : exactLiteral(value)));
}

function byName({ params }: MethodModel, values: readonly (Json | undefined)[]): readonly string[] {
  if (params.length === 0) return [];
  const members = params.flatMap(({ name }, index) => {
    const value = values[index];
    return value === undefined ? [] : [`${scriptKey(name)}: ${exactLiteral(value)}`];
  });
  return [`{ ${members.join(', ')} }`];
}
