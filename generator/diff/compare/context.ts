import type { Containments } from '../../containment/containment.ts';
import type { MethodModel, Model } from '../../model/model.ts';
import type { Change } from '../change.ts';
import type { SchemaComparer } from '../schema/compare.ts';

/** What every comparison is given. */
export interface Context {
  readonly old: Model;
  readonly new: Model;
  readonly containments: Containments;
  readonly schemas: SchemaComparer;
  /** The date sunset dates are compared with: YYYY-MM-DD. */
  readonly today: string;
}

/** The same method in both documents. */
export interface MethodPair {
  readonly old: MethodModel;
  readonly new: MethodModel;
}

/** A change of a method, at members of the two. */
export function ofMethod(
  pair: MethodPair,
  member: string,
  change: Pick<Change, 'kind' | 'what' | 'before' | 'after'> & { readonly subject?: string },
): Change {
  const suffix = member === '' ? '' : `/${member}`;
  return {
    subject: pair.new.name,
    old: `${pair.old.pointer}${suffix}`,
    new: `${pair.new.pointer}${suffix}`,
    methods: [pair.new.name],
    ...change,
  };
}
