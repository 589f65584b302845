import { expect, test } from 'vitest';
import { formatFiles } from '../../../generator/output/format.ts';
import { documentOf, methodOf } from '../support/document.ts';
import { temporaryFolder, typeErrors } from '../support/folder.ts';
import { render } from '../support/render.ts';

// Of Unicode 16 and 17: letters for Node and the formatter, and not for the compiler.
test.each(['\ua7da', '\u{16100}', '\u1c89', '\u{20000}'])(
  'a letter that compilers do not know yet, %s, is in no identifier and in no key without quotes',
  async (letter) => {
    const name = `a${letter}`;
    const ref = { $ref: `#/components/schemas/${name}` };
    const member = { type: 'object', properties: { [letter]: ref, [name]: ref } };
    const method = { ...methodOf(name, ref, member), params: [{ name, schema: ref }] };
    const components = { schemas: { [name]: { type: 'string', enum: [name, letter] } } };
    const files = await formatFiles(await render(documentOf([method], { components })));
    expect(typeErrors(temporaryFolder([...files]))).toBe('');
    expect(files.get('types.ts')).toContain(`'${name}'?: A;`);
  },
);
