import { expect, test } from 'vitest';
import { createTextReader } from '../../generator/files/text.ts';
import { lintDocument } from '../../generator/lint/lint.ts';
import { activeRules } from '../../generator/lint/settings.ts';
import { describeLocation } from '../../generator/problem/location.ts';

test('our document passes every rule of strict', async () => {
  const { findings } = await lintDocument('openrpc.json', {
    reader: createTextReader(),
    active: activeRules({ extends: 'strict' }),
  });
  const told = findings.map((each) => `${describeLocation(each)} ${each.rule}: ${each.message}`);
  expect(told).toEqual([]);
});
