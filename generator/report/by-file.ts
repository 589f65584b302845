import type { Finding } from './finding.ts';
import type { Report } from './report.ts';

/** Each document with its findings, the clean ones and the files they refer to among them. */
export function toFindingsByFile({
  files,
  findings,
}: Pick<Report, 'files' | 'findings'>): readonly (readonly [string, readonly Finding[]])[] {
  const byFile = new Map<string, Finding[]>(files.map((file) => [file, []]));
  for (const finding of findings) {
    const own = byFile.get(finding.file);
    if (own === undefined) byFile.set(finding.file, [finding]);
    else own.push(finding);
  }
  return [...byFile];
}
