import type { Diagnostic } from '../../common/diagnostic.ts';
import type { Drift } from '../../generator/output/update.ts';
import type { ReportRule } from '../../generator/report/report.ts';

/** Ways in which generated files differ from the document, as rules of a report. */
const KINDS = {
  stale: {
    title: 'Generated files have the text the document asks for',
    what: 'is not what the document asks for any more',
  },
  missing: {
    title: 'Every file the document asks for is there',
    what: 'is missing',
  },
  orphaned: {
    title: 'No file is left that the document does not ask for',
    what: 'is written by no target',
  },
} as const satisfies Record<keyof Drift, object>;

const kinds = Object.entries(KINDS) as [keyof Drift, (typeof KINDS)[keyof Drift]][];

const HELP = 'Generated files are written by `specgate generate`, and committed with the document.';

export const driftRules: readonly ReportRule[] = kinds.map(([kind, { title }]) => ({
  id: `generated-${kind}`,
  title,
  severity: 'error',
  help: HELP,
}));

/** A diagnostic for each file of `out` that differs. */
export function driftDiagnostics(
  drift: Drift & { readonly document: string; readonly out: string },
): readonly Diagnostic[] {
  const { document, out } = drift;
  return kinds.flatMap(([kind, { what }]) =>
    drift[kind].map((path): Diagnostic => ({
      code: `generated-${kind}`,
      severity: 'error',
      message: `${path} ${what}`,
      fix: `run specgate generate ${document} --out ${out}`,
      location: { file: `${out}/${path}`, line: 1, column: 1, pointer: null },
    })),
  );
}
