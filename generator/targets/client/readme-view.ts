import { codeSpan } from '../../../common/escape/markdown.ts';
import { scriptKey } from '../../../common/escape/script.ts';
import type { ExampleModel, MethodModel, Model } from '../../model/model.ts';
import { nameErrorClasses } from '../client-view/errors.ts';
import { argumentsOf } from '../client-view/methods.ts';
import { viewReadme as viewShared } from '../client-view/readme.ts';
import { exactLiteral, literal } from '../literal.ts';
import { findWideIntegers } from './wide-integers.ts';

/** Maximum number of places of wide integers that a README names; it counts the others. */
const MAX_LISTED = 12;

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
    methods: shared.methods.map((method, index) => {
      const { paramStructure, params } = model.methods[index]!;
      const names =
        paramStructure === 'by-name' ? ['params'] : params.map((each) => each.identifier);
      return { ...method, paramNames: names.join(', ') };
    }),
    wideIntegers: wideIntegers.slice(0, MAX_LISTED).map(codeSpan),
    moreWideIntegers: Math.max(0, wideIntegers.length - MAX_LISTED),
    isWide: wideIntegers.length > 0,
  };
}

/** Writes the call of an example: `client.ethGetProof("0x…", ["0x…"])`. */
function writeCall(method: MethodModel, example: ExampleModel): string {
  const { identifier, params, paramStructure } = method;
  const values = argumentsOf(method, example);
  if (paramStructure === 'by-name' && params.length > 0) {
    const members = params.flatMap(({ name }, index) => {
      const value = values[index];
      return value === undefined ? [] : [`${scriptKey(name)}: ${exactLiteral(value)}`];
    });
    return `client.${identifier}({ ${members.join(', ')} })`;
  }
  const length = values.findLastIndex((value) => value !== undefined) + 1;
  const given = values.slice(0, length);
  const args = given.map((value) => (value === undefined ? 'undefined' : exactLiteral(value)));
  return `client.${identifier}(${args.join(', ')})`;
}
