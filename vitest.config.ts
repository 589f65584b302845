import { defineConfig } from 'vitest/config';

// Two groups: rooms tested on their own, and the whole product, started once for all of its tests.
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 90_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'rooms',
          include: ['test/**/*.test.ts'],
          exclude: ['test/conformance/**', 'test/e2e/**'],
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
