import { describe, expect, it } from 'vitest';
import {
  answeredMore,
  CALL_CREDITS,
  configBefore,
  creditsAtRest,
  loadOn,
  servedBy,
  serveForTest,
  startNamedNode,
} from './load-support.ts';

describe('a gateway that is told to stop while hundreds of calls are under way', () => {
  it.each([1, 2])(
    'answers every call it has taken, over both transports, and leaves the credits exact (%i processes)',
    async (workers) => {
      const node = await startNamedNode('a', 150);
      const serving = await serveForTest(configBefore(node, 0), { workers });
      const load = await loadOn(serving, 120, 30);
      await answeredMore(load, 300);
      const underWay = 120 + 30 * 8;
      expect(node.requests.length - load.answered.size).toBeGreaterThan(underWay / 4);
      expect(await serving.stop()).toBe(0);
      await load.stop();
      const served = servedBy(node);
      const lost = served.filter((call) => !load.answered.has(call));
      expect(lost).toEqual([]);
      expect(served.length).toBe(new Set(served).size);
      expect(load.answered.size).toBe(served.length);
      expect(await creditsAtRest(serving)).toEqual({
        spent: served.length * CALL_CREDITS,
        forfeited: 0,
      });
    },
  );
});
