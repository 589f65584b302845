/** Shapes of public documents, and what partners read in the packages generated from them. */
import { describe, expect, test } from 'vitest';
import { documentOf, type Document } from '../support/document.ts';
import { render } from '../support/render.ts';

/** The files of both client packages by their path, unformatted. */
async function packagesOf(document: Document) {
  const files = await render(document, 'client', 'python');
  return (end: string) => {
    const path = [...files.keys()].find((each) => each.endsWith(end));
    return files.get(path ?? '') ?? expect.fail(`no file ${end}`);
  };
}

describe('error classes', () => {
  const errors = [
    { code: 24, message: 'BLOCK_NOT_FOUND' },
    { code: 25, message: 'FORBIDDEN' },
    { code: 26, message: 'The request that was sent is larger than the maximum' },
  ];
  const document = documentOf([{ name: 'get', params: [], errors }]);

  test('of messages in capitals are words, and none ends within a word', async () => {
    const file = await packagesOf(document);
    for (const text of [file('client/src/errors.ts'), file('errors.py')]) {
      const names = new Set(text.match(/\b\w+Error\b/g));
      expect(names).toContain('BlockNotFoundError');
      expect(names).toContain('ForbiddenError');
      expect(names).toContain('TheRequestThatWasSentIsLargerThanError');
    }
  });
});

describe('comments', () => {
  const string = { type: 'string' };
  const bare = { name: 'bare', params: [{ name: 'id', schema: string }] };
  const described = {
    name: 'described',
    description: 'Gives the block of a height.',
    params: [
      { name: 'id', schema: { type: 'string', description: 'Height of the block.' } },
      { name: 'other', schema: string },
    ],
  };
  const result = { name: 'String', schema: string };
  const document = documentOf([bare, described].map((method) => ({ ...method, result })));

  test('say only what the document says', async () => {
    const file = await packagesOf(document);
    const client = file('client/src/client.ts');
    expect(client).not.toMatch(/Calls `|@returns|@param \w+ -?\s*$/m);
    expect(client).not.toMatch(/@remarks/);
    expect(client).toContain(`/**
 * Gives the block of a height.
 *
 * @param id - Height of the block.
 */
described(`);
    const python = file('client.py');
    expect(python).not.toMatch(/Calls \w+\.|Returns:|^ +(?:id|other):\s*$/m);
    expect(python).toContain('id: Height of the block.\n');
    expect(file('client/src/types.ts')).not.toMatch(/^ \* - `\w+`$/m);
  });
});
