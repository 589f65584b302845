import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/read-config.ts';
import type { LoadedConfig } from '../../src/main/load-config.ts';
import type { Logger } from '../../src/main/logger.ts';
import { Reloader, type ServedGateway } from '../../src/main/reload.ts';

function loadedWith(rest = ''): LoadedConfig {
  const text = `networks: [{ name: a, family: evm, listen: { port: 1 }, upstreams: [{ url: 'http://n/' }] }]`;
  return { config: readConfig(`${text}\n${rest}`, 'specgate.yaml', {}), keyPairs: {} };
}

function reloaderWith(target: Partial<ServedGateway>): {
  readonly reloader: Reloader;
  readonly logged: string[];
  readonly logger: { level: string };
} {
  const logged: string[] = [];
  const log = (_fields: object, message: string): void => void logged.push(message);
  const logger = { info: log, error: log, level: 'info' };
  const reloader = new Reloader({
    current: loadedWith(),
    read: () => Promise.resolve({ loaded: loadedWith('log: debug'), placeOf: () => 'here' }),
    target: { apply: () => Promise.resolve(), seed: () => Promise.resolve(), ...target },
    logger: logger as unknown as Logger,
  });
  return { reloader, logged, logger };
}

describe('the reloader', () => {
  it('reloads once more after a reload during which it was asked to, no matter how often', async () => {
    let begun = 0;
    const first = Promise.withResolvers<void>();
    const { reloader, logged } = reloaderWith({
      apply: () => {
        begun += 1;
        return begun === 1 ? first.promise : Promise.resolve();
      },
    });
    for (let time = 0; time < 5; time += 1) reloader.request();
    await expect.poll(() => begun).toBe(1);
    reloader.request();
    first.resolve();
    await expect.poll(() => logged.length).toBe(2);
    await reloader.stop();
    reloader.request();
    expect(begun).toBe(2);
  });

  it('applies the log level, and keeps the new configuration to compare the next one with', async () => {
    const { reloader, logged, logger } = reloaderWith({});
    reloader.request();
    await expect.poll(() => logged).toEqual(['configuration reloaded']);
    expect(logger.level).toBe('debug');
    expect(reloader.current.config.log).toBe('debug');
  });

  it('does not report a served configuration as refused when only the store could not be written', async () => {
    const { reloader, logged } = reloaderWith({ seed: () => Promise.reject(new Error('away')) });
    reloader.request();
    await expect
      .poll(() => logged)
      .toEqual([
        'configuration reloaded',
        'plans and accounts were not written to the store; reload again to retry',
      ]);
    expect(reloader.current.config.log).toBe('debug');
  });

  it('survives unexpected errors, and keeps the current configuration', async () => {
    const { reloader, logged } = reloaderWith({ apply: () => Promise.reject(new TypeError('x')) });
    reloader.request();
    await expect.poll(() => logged).toEqual(['reload rejected; keeping the current configuration']);
    expect(reloader.current.config.log).toBe('info');
  });
});
