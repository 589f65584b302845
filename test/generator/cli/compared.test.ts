import { expect, test } from 'vitest';
import { runSpecgate } from './in-process.ts';

test.each(['diff', 'changelog'])('%s reports errors in both documents', async (verb) => {
  const { status, stderr } = await runSpecgate([verb, 'gone.json', 'lost.json']);
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr:
      'gone.json: file not found; check the path\nlost.json: file not found; check the path\n',
  });
});
