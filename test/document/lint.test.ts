import { describeLocation } from '../../common/diagnostic.ts';
import { expect, test } from 'vitest';
import { createTextReader } from '../../generator/files/text.ts';
import { lintDocument } from '../../generator/lint/lint.ts';
import { activeRules } from '../../generator/lint/settings.ts';

test('our document passes every lint rule of the strict preset', async () => {
  const { diagnostics } = await lintDocument('openrpc.json', {
    reader: createTextReader(),
    active: activeRules({ extends: 'strict' }),
  });
  const listed = diagnostics.map(
    (each) => `${describeLocation(each.location)} ${each.code}: ${each.message}`,
  );
  expect(listed).toEqual([]);
});
