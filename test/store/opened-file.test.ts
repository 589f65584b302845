import { copyFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePlan, openTestStore, temporaryFolder } from './support.ts';

const damages: [what: string, damage: (path: string) => void, error: RegExp][] = [
  ['deleted', (path) => rmSync(path), /was deleted while in use.*put the original file back/],
  ['truncated', (path) => truncateSync(path), /was truncated or overwritten/],
  ['overwritten', (path) => writeFileSync(path, 'x'.repeat(9_000)), /was truncated or overwritten/],
  [
    'replaced by a copy',
    (path) => {
      copyFileSync(path, `${path}.copy`);
      renameSync(`${path}.copy`, path);
    },
    /was replaced/,
  ],
];

describe('a SQLite file in use', () => {
  it.each(damages)('that was %s fails every operation and says what to do', async (...given) => {
    const [, damage, error] = given;
    const path = join(await temporaryFolder(), 'store.sqlite');
    const store = await openTestStore(path);
    await store.putPlan(freePlan);
    damage(path);
    await expect(store.putPlan(freePlan)).rejects.toThrow(error);
    await expect(store.readChanges(0)).rejects.toThrow(error);
  });

  it('works again when the original file is put back', async () => {
    const path = join(await temporaryFolder(), 'store.sqlite');
    const store = await openTestStore(path);
    await store.putPlan(freePlan);
    renameSync(path, `${path}.away`);
    await expect(store.readChanges(0)).rejects.toThrow('was deleted');
    renameSync(`${path}.away`, path);
    expect((await store.readChanges(0)).plans).toEqual([freePlan]);
  });
});
