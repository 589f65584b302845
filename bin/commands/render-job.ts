import { describeDiagnostic } from '../../common/diagnostic.ts';
import { loadDocument, type LoadedDocument, type LoadOptions } from '../../generator/document.ts';
import { baseNameOf, createTextReader, type TextReader } from '../../generator/files/text.ts';
import { renderTargets } from '../../generator/output/render.ts';
import type { Rendered } from '../../generator/targets/target.ts';
import type { Job } from './jobs.ts';
import { createProgress } from './progress.ts';

/** What the targets of a job make of its document: path to text. */
export async function renderJob(
  { document, targets, allowUnresolved, allowRemote }: Job,
  reader?: TextReader,
): Promise<Rendered> {
  const progress = createProgress();
  try {
    progress.step(`reading ${document}`);
    const { model } = await openDocument(document, {
      allowUnresolved,
      allowRemote,
      ...(reader && { reader }),
    });
    return await renderTargets(model, targets, {
      source: baseNameOf(document),
      onStep: progress.step,
    });
  } finally {
    progress.end();
  }
}

export interface OpenOptions extends LoadOptions {
  readonly reader?: TextReader;
}

/** Loads a document, and says on standard error which of its references were left open. */
export async function openDocument(
  location: string,
  { reader = createTextReader({ stdin: process.stdin }), ...options }: OpenOptions = {},
): Promise<LoadedDocument> {
  const loaded = await loadDocument(location, reader, options);
  for (const problem of loaded.unresolved) {
    const fix = 'any value is allowed there';
    console.error(`warning: ${describeDiagnostic({ ...problem, fix })}`);
  }
  return loaded;
}
