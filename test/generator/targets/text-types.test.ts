import { expect, test } from 'vitest';
import { documentOf, methodOf } from '../support/document.ts';
import { temporaryFolder, typeErrors, writeInto } from '../support/folder.ts';
import { render } from '../support/render.ts';
import { textType } from '../../../generator/targets/types/text-type.ts';

const HEX = '`0x${string}`';
const DECIMAL = '`${bigint}`';

test.each([
  ['^0x[0-9a-f]{64}$', HEX],
  ['^0x([1-9a-f]+[0-9a-f]*|0)$', HEX],
  ['^0x(0|[0-9a-f]([0-9a-f]|(x|y)))$', 'string'],
  ['^0x0[a-fA-F1-9]{1}[a-fA-F0-9]{0,62}$', HEX],
  ['^(0|[1-9][0-9]{0,18}|1[0-7][0-9]{18})$', DECIMAL],
  ['^[1-9]\\d*$', DECIMAL],
  ['^0x[0-9a-f]+$|^latest$', 'string'],
  ['^0x?[0-9a-f]+$', 'string'],
  ['^(0x)?[0-9a-f]+$', 'string'],
  ['0x[0-9a-f]+', 'string'],
  ['^[0-9]+$', 'string'],
  ['^[1-9][0-9]{3}-[0-9]{2}$', 'string'],
  ['^[a-z]+$', 'string'],
])('a text with the pattern %s is a %s', (pattern, type) => {
  expect(textType({ type: 'string', pattern }) ?? 'string').toBe(type);
});

test('a mistyped tag does not compile beside numbers of blocks', async () => {
  const schemas = {
    Quantity: { type: 'string', pattern: '^0x(0|[1-9a-f][0-9a-f]*)$' },
    Tag: { enum: ['latest', 'safe'] },
    Block: {
      anyOf: [
        { $ref: '#/components/schemas/Quantity' },
        { $ref: '#/components/schemas/Tag' },
        { type: 'string', pattern: '^(0|[1-9][0-9]*)$' },
        { type: ['string', 'null'], pattern: '^0x$' },
      ],
    },
  };
  const method = methodOf('get', { $ref: '#/components/schemas/Block' });
  const folder = temporaryFolder(
    await render(documentOf([method], { components: { schemas } }), 'types'),
  );
  writeInto(
    folder,
    'uses.ts',
    `import type { Block } from './types.ts';
const height = 7;
export const good: Block[] = [null, 'latest', '0x7', '7', \`\${height}\`, \`0x\${height.toString(16)}\`];
// @ts-expect-error: mistyped
export const bad: Block = 'lastest';
`,
  );
  expect(typeErrors(folder)).toBe('');
});
