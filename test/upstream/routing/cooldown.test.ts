import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Cooldown } from '../../../src/upstream/routing/cooldown.ts';

function cooldownOf(probe: () => Promise<void>): Cooldown {
  return new Cooldown({
    max_ms: 60_000,
    probe,
    monotonic_ms: () => 0,
    onStart: () => expect.unreachable(),
  });
}

it('cooldowns of accounts send one probe at a time', async () => {
  const probes: (() => void)[] = [];
  const cooldown = cooldownOf(() => new Promise((resolve) => probes.push(resolve)));
  for (const account of ['a', 'b', 'c']) cooldown.applyFor(account, { cooldown_ms: 1_000 });
  expect(probes).toHaveLength(1);
  probes[0]!();
  await nextTurn();
  cooldown.applyFor('d', { cooldown_ms: 1_000 });
  expect(probes).toHaveLength(2);
});

it('the cooldowns of at most 1,000 accounts are kept, the latest ones', () => {
  const cooldown = cooldownOf(() => Promise.resolve());
  const accounts = Array.from({ length: 1_200 }, (_, index) => `account-${index}`);
  for (const account of accounts) cooldown.applyFor(account, { cooldown_ms: 1_000 });
  expect(accounts.map((account) => cooldown.isActiveFor(account))).toEqual(
    accounts.map((_, index) => index >= 200),
  );
});
