import { expect, test } from 'vitest';
import { loadTargets } from '../../../generator/targets/index.ts';
import { atScale } from '../../support/soak.ts';
import { documentOf, methodOf, modelOf } from '../support/document.ts';

test('the Python types of a very long chain of allOf are made within the stack', async () => {
  const size = atScale(12_000, 8_000);
  const schemas = Object.fromEntries(
    Array.from({ length: size }, (_, index) => {
      const next = { $ref: `#/components/schemas/S${index + 1}` };
      return [`S${index}`, { allOf: [next, { required: ['a'] }] }];
    }),
  );
  const model = await modelOf({
    ...documentOf([methodOf('a', { $ref: '#/components/schemas/S0' })]),
    components: { schemas: { ...schemas, [`S${size}`]: { type: 'object' } } },
  });
  const [python] = await loadTargets(['python']);
  const files = await python!.render(model, { source: 'openrpc.json' });
  expect([...files.keys()].some((path) => path.endsWith('types.py'))).toBe(true);
});

test('Python types that inherit the members of many others grow with the document only', async () => {
  const size = atScale(400, 200);
  const own = (of: number) => Array.from({ length: 40 }, (_, index) => [`p${of}_${index}`, {}]);
  const schemas = Object.fromEntries(
    Array.from({ length: size }, (_, index) => {
      const next = { $ref: `#/components/schemas/S${index + 1}` };
      return [`S${index}`, { allOf: [next], properties: Object.fromEntries(own(index)) }];
    }),
  );
  const model = await modelOf({
    ...documentOf([methodOf('a', { $ref: '#/components/schemas/S0' })]),
    components: { schemas: { ...schemas, [`S${size}`]: { type: 'object' } } },
  });
  const [python] = await loadTargets(['python']);
  const files = await python!.render(model, { source: 'openrpc.json' });
  const [, types] = [...files].find(([path]) => path.endsWith('types.py'))!;
  expect(types).toContain(`class S${size - 2}(TypedDict)`);
  expect(types).toContain('S0: TypeAlias = ');
  expect(types.length).toBeLessThan(10_000_000);
});
