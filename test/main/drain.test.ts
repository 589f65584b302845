import { describe, expect, it } from 'vitest';
import {
  answeredMore,
  CALL_CREDITS,
  configBefore,
  creditsAtRest,
  loadOn,
  servedBy,
  serveForTest,
  startNodeThatWaits,
} from './load-support.ts';

const HTTP = 120;
const SOCKETS = 30;
const CALLS_UNDER_WAY = HTTP + SOCKETS * 8;

/** Held calls outlast the time that a busy machine takes to make all of them. */
const limits = {
  upstream_connections: 400,
  upstream_calls_in_flight: 400,
  attempt_ms: 100_000,
  call_deadline_ms: 100_000,
  drain_ms: 100_000,
  probe_interval_ms: 100_000,
};

describe('a gateway that stops with hundreds of calls in flight', () => {
  it.each([1, 2])(
    'answers every accepted call over both transports, and accounts for the credits exactly (%i processes)',
    async (workers) => {
      const release = Promise.withResolvers<void>();
      let holds = false;
      const node = await startNodeThatWaits('a', () =>
        holds ? release.promise : Promise.resolve(),
      );
      const serving = await serveForTest(configBefore(node, 0, { limits }), { workers });
      const load = await loadOn(serving, HTTP, SOCKETS);
      await answeredMore(load, 300);
      holds = true;
      const underWay = (): number => node.requests.length - load.answered.size;
      await expect.poll(underWay).toBe(CALLS_UNDER_WAY);
      const stopped = serving.stop();
      const phase = async (): Promise<unknown> =>
        ((await (await fetch(new URL('readyz', serving.ops))).json()) as { phase: unknown }).phase;
      await expect.poll(phase).toBe('draining');
      release.resolve();
      expect(await stopped).toBe(0);
      await load.stop();
      const served = servedBy(node);
      expect(served.filter((call) => !load.answered.has(call))).toEqual([]);
      expect(load.answered.size).toBe(served.length);
      expect(await creditsAtRest(serving)).toEqual({
        spent: served.length * CALL_CREDITS,
        lost: 0,
      });
    },
  );
});
