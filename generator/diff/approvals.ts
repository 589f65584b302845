import { DocumentError } from '../../common/diagnostic.ts';
import { z } from 'zod';
import { diagnosticAt } from '../bundle/places.ts';
import { diagnosticsOf } from '../validation/zod-issues.ts';
import { parseSource } from '../source/parse.ts';
import type { SourceText } from '../source/source.ts';
import { diffSection, type Approval } from './settings.ts';

/** A file of approvals: a list, or an object with `approved`. */
const fileSchema = z.strictObject({ approved: diffSection.shape.approved });

/**
 * Parses a file of approved changes, YAML or JSON.
 *
 * @throws DocumentError with every invalid entry
 */
export function readApprovals(text: SourceText): readonly Approval[] {
  const source = parseSource(text);
  const value = Array.isArray(source.value) ? { approved: source.value } : (source.value ?? {});
  const read = fileSchema.safeParse(value);
  if (read.success) return read.data.approved;
  throw new DocumentError(
    read.error.issues
      .flatMap(diagnosticsOf)
      .map(({ pointer, ...says }) => diagnosticAt({ source, pointer }, says)),
  );
}
