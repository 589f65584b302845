import { expect, test } from 'vitest';
import { describeService } from '../../../bin/commands/describe-service.ts';
import { documentOf, methodOf, modelOf } from '../support/document.ts';
import { validatorsOf } from '../support/render.ts';

const patternProperties = Object.fromEntries(
  Array.from({ length: 2_000 }, (_, index) => [`^b${index}$`, { type: 'integer' }]),
);

// Values, with the keywords of their errors.
test.each([
  [
    false,
    [
      [{ a: 1, b7: 1, b1999: 1 }, []],
      [{ b7: 'x' }, ['type']],
      [{ c: 1 }, ['additionalProperties']],
    ],
  ],
  [
    { type: 'string' },
    [
      [{ c: 'x', b0: 1 }, []],
      [{ c: 1 }, ['type']],
    ],
  ],
] as const)(
  'members of an object with very many patterns are checked, and others by %j',
  async (additionalProperties, rows) => {
    const properties = { a: { type: 'integer' } };
    const schema = { type: 'object', properties, patternProperties, additionalProperties };
    const document = documentOf([methodOf('m', schema)]);
    const generated = (await validatorsOf(document)).validateParams['m']!;
    const { methods } = describeService(await modelOf(document));
    const served = methods.find(({ name }) => name === 'm')!;
    for (const [value, keywords] of rows) {
      for (const validate of [generated, served.validateParams]) {
        expect(validate([value]).map(({ keyword }) => keyword)).toEqual(keywords);
      }
    }
  },
);
