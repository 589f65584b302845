import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/read-config.ts';
import type { LoadedConfig } from '../../src/main/load-config.ts';
import type { Logger } from '../../src/main/logger.ts';
import { createReloader, type Reloader, type ReloadOptions } from '../../src/main/reload.ts';

function loadedWith(rest = ''): LoadedConfig {
  const text = `networks: [{ name: a, family: evm, listen: { port: 1 }, upstreams: [{ url: 'http://n/' }] }]`;
  return { config: readConfig(`${text}\n${rest}`, 'specgate.yaml', {}), keyPairs: {} };
}

function reloaderWith(options: Partial<ReloadOptions>): {
  readonly reloader: Reloader;
  readonly told: string[];
  readonly logger: { level: string };
} {
  const told: string[] = [];
  const tell = (_told: object, text: string): void => void told.push(text);
  const logger = { info: tell, error: tell, level: 'info' };
  const reloader = createReloader({
    current: loadedWith(),
    read: () => Promise.resolve({ ...loadedWith('log: debug'), placeOf: () => 'here' }),
    apply: () => Promise.resolve(),
    seed: () => Promise.resolve(),
    logger: logger as unknown as Logger,
    ...options,
  });
  return { reloader, told, logger };
}

describe('the reloader', () => {
  it('reloads once more after a reload during which it was asked to, however often', async () => {
    let begun = 0;
    const first = Promise.withResolvers<void>();
    const { reloader, told } = reloaderWith({
      apply: () => {
        begun += 1;
        return begun === 1 ? first.promise : Promise.resolve();
      },
    });
    for (let time = 0; time < 5; time += 1) reloader.request();
    await expect.poll(() => begun).toBe(1);
    reloader.request();
    first.resolve();
    await expect.poll(() => told.length).toBe(2);
    await reloader.stop();
    reloader.request();
    expect(begun).toBe(2);
  });

  it('takes over the log level, and keeps the configuration in force to compare the next one with', async () => {
    const { reloader, told, logger } = reloaderWith({});
    reloader.request();
    await expect.poll(() => told).toEqual(['the configuration was reloaded']);
    expect(logger.level).toBe('debug');
    expect(reloader.inForce().config.log).toBe('debug');
  });

  it('does not call a configuration refused that is served, when only the store could not be written', async () => {
    const { reloader, told } = reloaderWith({ seed: () => Promise.reject(new Error('away')) });
    reloader.request();
    await expect
      .poll(() => told)
      .toEqual([
        'the configuration was reloaded',
        'plans and accounts are not in the store; reload once more',
      ]);
    expect(reloader.inForce().config.log).toBe('debug');
  });

  it('survives faults of its own, and keeps what was in force', async () => {
    const { reloader, told } = reloaderWith({ apply: () => Promise.reject(new TypeError('x')) });
    reloader.request();
    await expect
      .poll(() => told)
      .toEqual(['the reload is refused; what was served before is served on']);
    expect(reloader.inForce().config.log).toBe('info');
  });
});
