import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeSite } from '../../../bin/docs/write-site.ts';
import { temporaryFolder } from '../support/folder.ts';

/** The list that is written beside a site with these files. */
function listOf(...files: readonly (readonly [string, string])[]): string {
  const entries = files.map(([path, text]) => {
    return [path, createHash('sha256').update(text).digest('hex')];
  });
  return JSON.stringify({ writtenBy: 'specgate docs', files: entries });
}

describe('a folder with a site in it', () => {
  const first = new Map([
    ['a.html', Buffer.from('a')],
    ['old/b.html', Buffer.from('b')],
    ['old/c.html', Buffer.from('c')],
  ]);
  const second = new Map([['a.html', Buffer.from('a')]]);

  test('loses files that the site no longer has, except for changed ones', async () => {
    const folder = temporaryFolder();
    await writeSite(folder, first);
    writeFileSync(join(folder, 'old/c.html'), 'changed');
    expect(await writeSite(folder, second)).toEqual({
      written: [],
      unchanged: ['a.html'],
      removed: ['old/b.html'],
      orphaned: ['old/c.html'],
    });
    expect(readdirSync(join(folder, 'old'))).toEqual(['c.html']);
  });

  test.each([
    ['of someone else', '["mine.txt",".env"]'],
    ['without hashes', '{"writtenBy":"specgate docs","files":["mine.txt",".env"]}'],
    ['with other hashes', listOf(['mine.txt', 'other'], ['.env', 'other'])],
    ['of files that no site has', listOf(['.env', 'kept'], ['../mine.txt', 'kept'])],
  ])('keeps every file for a list %s', async (_, list) => {
    const folder = temporaryFolder([
      ['mine.txt', 'kept'],
      ['site/mine.txt', 'kept'],
      ['site/.env', 'kept'],
      ['site/data/files.json', list],
    ]);
    expect((await writeSite(join(folder, 'site'), second)).removed).toEqual([]);
    for (const path of ['mine.txt', 'site/mine.txt', 'site/.env']) {
      expect(readFileSync(join(folder, path), 'utf8')).toBe('kept');
    }
  });

  test('removes no listed file through a symbolic link', async () => {
    const outside = temporaryFolder([['b.ts', 'kept']]);
    const folder = temporaryFolder([['data/files.json', listOf(['linked/b.ts', 'kept'])]]);
    symlinkSync(outside, join(folder, 'linked'));
    await expect(writeSite(folder, second)).rejects.toThrow('linked: this is a symbolic link');
    expect(readFileSync(join(outside, 'b.ts'), 'utf8')).toBe('kept');
    expect(existsSync(join(folder, 'a.html'))).toBe(false);
  });
});
