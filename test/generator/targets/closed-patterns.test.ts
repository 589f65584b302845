import { expect, test } from 'vitest';
import { describeService } from '../../../bin/commands/describe-service.ts';
import { documentOf, methodOf, modelOf } from '../support/document.ts';
import { validatorsOf } from '../support/render.ts';
import { atScale } from '../../support/soak.ts';

const COUNT = atScale(2_000, 500);
const LAST = `b${COUNT - 1}`;

const patternProperties = Object.fromEntries(
  Array.from({ length: COUNT }, (_, index) => [`^b${index}$`, { type: 'integer' }]),
);

// Values, with the keywords of their errors.
test.each([
  [
    false,
    [
      [{ a: 1, b7: 1, [LAST]: 1 }, []],
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
