import type { MethodModel } from '../../model/model.ts';

/** What a call of the method costs (`x-credits`); null when the document does not say. */
export function creditsOf(method: MethodModel): number | null {
  const credits = method.extensions['x-credits'];
  return typeof credits === 'number' ? credits : null;
}
