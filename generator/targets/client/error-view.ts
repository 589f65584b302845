import { docComment } from '../../../common/escape/script.ts';
import type { Model } from '../../model/model.ts';
import { documentError, type ErrorClass } from '../client-view/errors.ts';
import { literal } from '../literal.ts';
import { typeText } from '../types/type-text.ts';
import { nameOfReason } from './runtime/error-name.ts';

/** Returns the view of an error class; its members are TypeScript code. */
export async function viewError(
  { row, className, hasReason }: ErrorClass,
  model: Model,
  { hasCharges }: { readonly hasCharges: boolean },
) {
  let namesTypes = false;
  const nameOf = (component: string): string => {
    namesTypes = true;
    return `T.${model.schemas.get(component)?.typeName ?? 'never'}`;
  };
  const data = row.data === null ? null : await typeText(row.data, nameOf);
  const dataType = data === null ? 'unknown' : `${className}Data`;
  const { code, reason, status, retryable, cause, fix } = row;
  const charged = hasCharges ? { charged: row.charged } : {};
  return {
    doc: docComment(documentError(row)),
    className,
    typeArguments: [literal(code), hasReason ? literal(reason) : 'null', dataType].join(', '),
    data: data?.body ?? '',
    // The members of `data` become the error's own.
    spreads: hasReason && data?.isInterface === true,
    namesTypes,
    identity: `${literal(className)}, ${literal(code)}`,
    facts: literal({ code, reason, status, retryable, ...charged, cause, fix }),
  };
}

/**
 * Returns the class names that do not follow from an error's reason: by code and reason; for errors
 * without a reason by code, or by code and message if the code has several.
 */
export function explicitErrorNames(classes: readonly ErrorClass[]): ReadonlyMap<string, string> {
  const withReason = classes.filter(({ hasReason }) => hasReason);
  const others = classes.filter(({ hasReason }) => !hasReason);
  return new Map([
    ...withReason
      .filter(({ row, className }) => nameOfReason(row.reason!) !== className)
      .map(({ row, className }): [string, string] => [`${row.code} ${row.reason}`, className]),
    ...others.map(({ row: { code, message }, className, isOnlyOfCode }): [string, string] => [
      isOnlyOfCode ? `${code}` : `${code} ${message}`,
      className,
    ]),
  ]);
}
