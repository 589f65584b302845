import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

// Two groups: rooms tested on their own, and the whole product, started once for all of its tests.
export default defineConfig({
  test: {
    pool: 'forks',
    // A test leaves nothing behind that another one would meet: no file needs a process of its own,
    // the start of which takes longer than most files do.
    isolate: false,
    setupFiles: ['test/support/tidy.ts'],
    // Three, where there are two cores: many tests wait for processes they have started.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 90_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'rooms',
          include: ['test/**/*.test.ts'],
          exclude: ['test/conformance/**', 'test/e2e/**'],
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
