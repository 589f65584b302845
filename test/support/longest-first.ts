import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files. One that starts last would run alone at the end. */
const LONGEST = [
  'test/package/package.test.ts',
  'test/e2e/try-it.test.ts',
  'test/docs/browser/reading.test.ts',
  'test/credits/several-processes.test.ts',
  'test/credits/gateways.test.ts',
  'test/action/action.test.ts',
  'test/main/streams.test.ts',
  'test/main/failing-upstreams.test.ts',
  'test/credits/store-outage.test.ts',
  'test/admin/administration.test.ts',
];

/** Starts with the slowest files and continues in Vitest's order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const index = LONGEST.findIndex((file) => moduleId.endsWith(file));
      return index < 0 ? LONGEST.length : index;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => place(a) - place(b));
  }
}
