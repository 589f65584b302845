import { type PointerDiagnostic } from '../../common/diagnostic.ts';
import type { JsonObject } from '../../common/json/value.ts';
import { textAt } from '../model/member.ts';
import { listAt, objectAt } from '../schema/document-schemas.ts';

/**
 * Checks what the schema of `x-errors` cannot express: no two rows have the same code and reason, and
 * the `error` of a row names a component error with the same code.
 */
export function findUnsoundService(document: JsonObject): readonly PointerDiagnostic[] {
  return [...findDuplicateRows(document), ...findMismatchedRows(document)];
}

function findDuplicateRows(document: JsonObject): readonly PointerDiagnostic[] {
  const seen = new Set<string>();
  return listAt(document, 'x-errors').flatMap(({ code, reason }, index): PointerDiagnostic[] => {
    if (typeof code !== 'number' || typeof reason !== 'string') return [];
    const key = `${code} ${reason}`;
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    const message = `duplicate row: the code ${code} and the reason "${reason}" are already used`;
    return [{ message, fix: 'give it a different reason', pointer: `/x-errors/${index}/reason` }];
  });
}

function findMismatchedRows(document: JsonObject): readonly PointerDiagnostic[] {
  const errors = objectAt(objectAt(document, 'components'), 'errors');
  return listAt(document, 'x-errors').flatMap((row, index): PointerDiagnostic[] => {
    const name = textAt(row, 'error');
    if (name === '' || typeof row['code'] !== 'number') return [];
    const pointer = `/x-errors/${index}/error`;
    if (!Object.hasOwn(errors, name)) {
      const message = `components.errors has no error "${name}"`;
      return [{ message, fix: 'correct the name, or add the error', pointer }];
    }
    const { code } = objectAt(errors, name);
    if (code === row['code']) return [];
    const message = `"${name}" has the code ${String(code)}, but this row has ${row['code']}`;
    return [
      { message, fix: 'name an error with the code of the row, or correct the code', pointer },
    ];
  });
}
