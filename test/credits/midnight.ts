import { setTimeout as sleep } from 'node:timers/promises';

/** For a test by the real clock that is of one UTC day: waits for the next when this one ends soon. */
export async function awayFromMidnight(): Promise<void> {
  const left_ms = 86_400_000 - (Date.now() % 86_400_000);
  if (left_ms < 20_000) await sleep(left_ms);
}
