import { componentAt, pathOf, type Models } from './place.ts';
import type { Pair, SchemaFinding } from './question.ts';
import { splitPointer } from '../../../common/json/pointer.ts';

/** A place where the two documents refer to different components, and the schemas that it leads to. */
export interface Holder {
  readonly pair: Pair;
  readonly at: Pair;
}

interface Followed {
  readonly pair: Pair;
  readonly at: Pair;
  readonly holder?: Holder | undefined;
}

/**
 * Returns the holder of a pair of schemas after its references were followed. If the documents refer to
 * different components, or one of them writes the schema in place, that place has changed, and not the
 * components.
 */
export function holderOf(models: Models, { pair, at, holder }: Followed): Holder | undefined {
  const hasMoved = pair.old.pointer !== at.old.pointer || pair.new.pointer !== at.new.pointer;
  if (!hasMoved) return holder;
  const [old, fresh] = [componentAt(at.old.pointer), componentAt(at.new.pointer)];
  if (old?.name === fresh?.name) return undefined;
  const isRenamed =
    old !== null &&
    fresh !== null &&
    !models.new.schemas.has(old.name) &&
    !models.old.schemas.has(fresh.name);
  return isRenamed ? undefined : { pair, at };
}

/** Names the place of a finding after its holder. */
export function placedAt(finding: SchemaFinding, holder: Holder | undefined): SchemaFinding {
  if (holder === undefined) return finding;
  const place = (side: 'old' | 'new') => {
    const [from, to] = [holder.at[side].pointer, holder.pair[side].pointer];
    const isBelow = finding[side].startsWith(from);
    return isBelow ? `${to}${finding[side].slice(from.length)}` : finding[side];
  };
  const named = { old: place('old'), new: place('new') };
  const isOfHolder = (side: 'old' | 'new') =>
    pathOf(splitPointer(finding[side].slice(holder.at[side].pointer.length))) === '';
  const isWhole = isOfHolder('old') && isOfHolder('new');
  const where = isWhole ? { old: holder.pair.old.pointer, new: holder.pair.new.pointer } : {};
  return { ...finding, ...where, named };
}
