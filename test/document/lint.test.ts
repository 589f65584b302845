import { describeLocation } from '../../common/diagnostic.ts';
import { expect, test } from 'vitest';
import { createTextReader } from '../../generator/files/text.ts';
import { lintDocument } from '../../generator/lint/lint.ts';
import { activeRules } from '../../generator/lint/settings.ts';

test('our document passes every rule of strict', async () => {
  const { diagnostics } = await lintDocument('openrpc.json', {
    reader: createTextReader(),
    active: activeRules({ extends: 'strict' }),
  });
  const told = diagnostics.map(
    (each) => `${describeLocation(each.location)} ${each.code}: ${each.message}`,
  );
  expect(told).toEqual([]);
});
