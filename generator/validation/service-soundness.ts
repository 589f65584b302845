import { type PointerDiagnostic } from '../../common/diagnostic.ts';
import type { JsonObject } from '../../common/json/value.ts';
import { textAt } from '../model/member.ts';
import { listAt, objectAt } from '../schema/document-schemas.ts';

/**
 * Checks what the schema of `x-errors` cannot express: code and reason of a row are unique, and its
 * `error` is a component error of its code.
 */
export function findUnsoundService(document: JsonObject): readonly PointerDiagnostic[] {
  return [...findDuplicateRows(document), ...findStrayRows(document)];
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

function findStrayRows(document: JsonObject): readonly PointerDiagnostic[] {
  const errors = objectAt(objectAt(document, 'components'), 'errors');
  return listAt(document, 'x-errors').flatMap((row, index): PointerDiagnostic[] => {
    const name = textAt(row, 'error');
    if (name === '' || typeof row['code'] !== 'number') return [];
    const pointer = `/x-errors/${index}/error`;
    if (!Object.hasOwn(errors, name)) {
      const message = `"${name}" is not an error of components.errors`;
      return [{ message, fix: 'name one, or add it', pointer }];
    }
    const { code } = objectAt(errors, name);
    if (code === row['code']) return [];
    const message = `"${name}" has the code ${String(code)}, and the row ${row['code']}`;
    return [{ message, fix: 'name the error with the same code', pointer }];
  });
}
