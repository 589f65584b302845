import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { atScale } from './test/support/soak.ts';

/** Tests that take too long for `npm test`. */
const onlyInSoak = atScale([], ['test/document/mutations.test.ts']);

// A package of the tests brings native code that `ws` uses if it finds it; installed gateways have none.
// oxlint-disable-next-line node/no-process-env
process.env['WS_NO_BUFFER_UTIL'] = '1';

// Two projects: tests of single modules, and tests of the whole product, which is started once.
export default defineConfig({
  test: {
    pool: 'forks',
    // Node runs the sources as they are: nothing is transformed, and a user's Node does the same.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Tests clean up after themselves, so files share processes: starting one takes longer than most
    // files do.
    isolate: false,
    setupFiles: ['test/support/tidy.ts'],
    // More workers than cores: many tests wait for processes they have started.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // Not `setImmediate`: what earlier files of the same process still have to write would wait for a clock that
    // stands still, and so would all that is written later.
    fakeTimers: { toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] },
    // Vitest's default of a second is too short on a busy machine.
    expect: { poll: { timeout: 45_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'modules',
          include: ['test/**/*.test.ts'],
          exclude: ['test/conformance/**', 'test/e2e/**', ...onlyInSoak],
          globalSetup: ['test/support/shared-postgres.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'product',
          include: ['test/conformance/**/*.test.ts', 'test/e2e/**/*.test.ts'],
          globalSetup: ['test/support/product.ts'],
        },
      },
    ],
  },
});
