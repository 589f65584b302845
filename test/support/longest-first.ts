import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files. One that starts last would run alone at the end. */
const LONGEST = [
  'test/main/store-readiness.test.ts',
  'test/package/package.test.ts',
  'test/main/exit-codes.test.ts',
  'test/docs/browser/reading.test.ts',
  'test/e2e/try-it.test.ts',
  'test/generator/verify/verify.test.ts',
  'test/generator/targets/docs/growth.test.ts',
  'test/credits/several-processes.test.ts',
  'test/client/packaging.test.ts',
  'test/action/action.test.ts',
  'test/generator/linear-pattern.test.ts',
  'test/client/vectors.test.ts',
  'test/main/abandoned.test.ts',
  'test/conformance/text-blocks.test.ts',
  'test/upstream/occupied-connection.test.ts',
  'test/main/failing-upstreams.test.ts',
  'test/bench/verify.test.ts',
  'test/conformance/verify.test.ts',
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
