import { keepAllDigits } from '../../../../common/json/exact.ts';
import { isObject, type JsonObject, type Schema } from '../../../../common/json/value.ts';
import { textAt } from '../../../model/member.ts';
import { fragmentOf, type Html, type Ids, NO_HTML } from '../html.ts';
import { MAX_UNFOLDED_ON_PAGE, type Site } from '../site.ts';
import { listFacts, printedList } from './facts.ts';
import { groupsOf, type Place } from './groups.ts';
import { resolveSchema } from './resolve.ts';
import { labelType } from './type-label.ts';
import type { SchemaGroup, SchemaView } from './view.ts';

/** Deeper components are linked. */
const MAX_DEPTH = 8;

/**
 * Creates a function that describes the schemas of one page and their fields. A component inside itself
 * is linked.
 */
export function createDescriber(options: {
  readonly site: Site;
  readonly ids: Ids;
  readonly markdown: (text: string) => Html;
  /** Params show all expectations; results only name plain types. */
  readonly isInput: boolean;
}): Describe {
  const { site, ids, markdown, isInput } = options;
  const { maxUnfolded } = site;
  let shown = 0;

  /**
   * Checks whether a component fits on the page. The component of each param and result has its own
   * limit.
   */
  function isUnfolded(component: string, { trail = [], depth = 0 }: Place): boolean {
    if (trail.includes(component) || depth > MAX_DEPTH) return false;
    const before = depth === 0 ? 0 : shown;
    const limit = depth === 0 ? MAX_UNFOLDED_ON_PAGE : maxUnfolded;
    return before + site.sizeOf(component) <= limit;
  }

  function describe(schema: Schema, place: Place): SchemaView {
    const { trail = [], depth = 0, isRequired = null, isShared = false } = place;
    const id = place.path === null ? '' : ids(...place.path);
    const { component, schema: target, annotations } = resolveSchema(schema, site.model);
    const base = isObject(target) ? target : {};
    const merged = keepAllDigits(annotations, keepAllDigits(base, { ...base, ...annotations }));
    const isEntered = component === null || isUnfolded(component, place);
    shown += 1;
    const within = {
      path: place.path,
      trail: component === null ? trail : [...trail, component],
      depth: depth + 1,
      isShared: isShared || component !== null,
    };
    const groups =
      isEntered && isObject(target) ? groupsOf(target, within, { site, describe }) : [];
    const text = place.description || textAt(merged, 'description') || textAt(merged, 'title');
    return {
      id,
      href: id === '' ? '' : fragmentOf(id),
      name: place.name,
      type: labelType(schema, site),
      isRequired: isRequired === true,
      isOptional: isRequired === false,
      isDeprecated: place.isDeprecated === true || merged['deprecated'] === true,
      isReadOnly: merged['readOnly'] === true,
      isWriteOnly: merged['writeOnly'] === true,
      isShared,
      description: text === '' ? NO_HTML : markdown(text),
      text,
      facts: isEntered
        ? factsAt(merged, annotations, { isNamed: component !== null && groups.length === 0 })
        : [],
      choices: component === null || isSmall(component) ? printedList(merged, 'enum') : [],
      groups,
      isOpen: depth === 0 && groups.some(isWorthOpening),
      fold: foldOf(groups.flatMap(({ heading, items }) => (heading === '' ? items : [])).length),
    };
  }

  function isSmall(component: string): boolean {
    return site.sizeOf(component) <= MAX_UNFOLDED_ON_PAGE;
  }

  // The page of a plain type has the other facts.
  function factsAt(merged: JsonObject, own: JsonObject, { isNamed }: { isNamed: boolean }) {
    if (!isNamed) return listFacts(merged);
    return isInput ? listFacts(merged).filter(({ isProse }) => isProse) : listFacts(own);
  }

  return describe;
}

export type Describe = (schema: Schema, place: Place) => SchemaView;

/** Variants of a plain value stay folded. */
function isWorthOpening({ isVariants, items }: SchemaGroup): boolean {
  return !isVariants || items.some(({ groups }) => groups.length > 0);
}

function foldOf(count: number): string {
  return count === 0 ? 'Forms' : count === 1 ? '1 field' : `${count} fields`;
}
