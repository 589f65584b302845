import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DocumentError } from '../../../common/diagnostic.ts';
import { loadDocument } from '../../../generator/document.ts';
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

  test('a pipe that the user names is read to its end', async () => {
    const pipe = join(temporaryFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const [{ text }] = await Promise.all([
      reader.read(pipe, { mayBeStream: true }),
      writeFile(pipe, '{"openrpc":"1.3.2"}'),
    ]);
    expect(text).toBe('{"openrpc":"1.3.2"}');
  });

  test('a device that never ends is read up to the limit', async () => {
    await expect(reader.read('/dev/zero', { mayBeStream: true })).rejects.toThrow(
      '/dev/zero: it is larger than 64 MiB; split it',
    );
  });

  test('a document in a pipe refers to files of the working folder, and to no pipe', async () => {
    const schemas = { a: { $ref: './a.json' }, b: { $ref: './b' } };
    const document = {
      openrpc: '1.3.2',
      info: { title: 'T', version: '1.0.0' },
      methods: [],
      components: { schemas },
    };
    const cwd = temporaryFolder([['a.json', '{"type":"string"}']]);
    const pipes = temporaryFolder();
    execFileSync('mkfifo', [join(pipes, 'pipe'), join(cwd, 'b')]);
    const loading = loadDocument(join(pipes, 'pipe'), createTextReader({ cwd }));
    await writeFile(join(pipes, 'pipe'), JSON.stringify(document));
    const error = await loading.catch((thrown: unknown) => thrown);
    expect((error as DocumentError).diagnostics.map(({ message }) => message)).toEqual([
      'the reference "./b" cannot be followed: b: this is a device, a pipe or a socket, not a file',
    ]);
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

test.each(['file://host/x.json', 'file:///a%2fb.json', 'file:///%ff.json'])(
  '%s, which names no local file, is refused',
  async (url) => {
    await expect(reader.read(url)).rejects.toThrow(
      `${url}: not the URL of a local file; use a path`,
    );
  },
);
