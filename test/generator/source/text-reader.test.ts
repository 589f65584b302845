import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRegularFile } from '../../../generator/files/regular-file.ts';
import { createTextReader } from '../../../generator/files/text.ts';
import { temporaryFolder } from '../support/folder.ts';

const reader = createTextReader();

describe.skipIf(process.platform !== 'linux')('a local file that is not a regular one', () => {
  test.each(['/dev/zero', '/dev/null'])('%s is refused, not read', async (path) => {
    await expect(reader.read(path)).rejects.toThrow(
      `${path}: this is a device, a pipe or a socket, not a file; name a file, or pipe the document in as "-"`,
    );
  });

  test('a pipe without a writer is refused without waiting', async () => {
    const pipe = join(temporaryFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    await expect(reader.read(pipe)).rejects.toThrow('this is a device, a pipe or a socket');
  });

  test('a file that reports no size is read up to the limit', async () => {
    const path = '/proc/self/limits';
    const whole = await readRegularFile(path, { maxBytes: 65_536, followsLink: true });
    expect(whole.length).toBeGreaterThan(16);
    const bounded = readRegularFile(path, { maxBytes: 16, followsLink: true });
    await expect(bounded).rejects.toMatchObject({ code: 'EFBIG' });
  });
});

test('a file is read up to the limit and refused one byte above it', async () => {
  const path = join(temporaryFolder([['a.txt', 'abcd']]), 'a.txt');
  const text = await readRegularFile(path, { maxBytes: 4, followsLink: true });
  expect(text.toString()).toBe('abcd');
  const refused = readRegularFile(path, { maxBytes: 3, followsLink: true });
  await expect(refused).rejects.toMatchObject({ code: 'EFBIG' });
});
