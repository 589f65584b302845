import { keepAllDigits } from '../../../../common/json/exact.ts';
import { isObject, type JsonObject, type Schema } from '../../../../common/json/value.ts';
import { fragmentOf, type Ids } from '../ids.ts';
import { NO_HTML, type Html } from '../html.ts';
import type { Site } from '../site.ts';
import { listChoices, listFacts } from './facts.ts';
import { groupsOf, type Place } from './groups.ts';
import { resolveSchema } from './resolve.ts';
import { labelType } from './type-label.ts';
import type { SchemaGroup, SchemaView } from './view.ts';

/** What is needed to describe the schemas of one page. */
export interface PageTools {
  readonly site: Site;
  readonly ids: Ids;
  readonly markdown: (text: string) => Html;
  /** What a reader has to write is told in full; of what is read, plain types are only named. */
  readonly isInput: boolean;
}

/** Components further down are linked instead of shown. */
const MAX_DEPTH = 8;

/** Once this much is shown, components are linked, so that no page grows without end. */
const MAX_SHOWN = 300;

/**
 * Makes the function that describes the schemas of one page, with their fields and theirs. A
 * component met within itself is linked and not entered again.
 */
export function createDescriber({ site, ids, markdown, isInput }: PageTools): Describe {
  let shown = 0;

  function describe(schema: Schema, place: Place): SchemaView {
    const { trail = [], depth = 0, isRequired = null } = place;
    const id = place.path === null ? '' : ids(...place.path);
    const { component, schema: target, annotations } = resolveSchema(schema, site.model);
    const base = isObject(target) ? target : {};
    const told = keepAllDigits(annotations, keepAllDigits(base, { ...base, ...annotations }));
    const isEntered =
      component === null || (!trail.includes(component) && depth <= MAX_DEPTH && shown < MAX_SHOWN);
    shown += 1;
    const within = {
      path: place.path,
      trail: component === null ? trail : [...trail, component],
      depth: depth + 1,
    };
    const groups =
      isEntered && isObject(target) ? groupsOf(target, within, { site, describe }) : [];
    const text = place.description || textIn(told, 'description') || textIn(told, 'title');
    return {
      id,
      href: id === '' ? '' : fragmentOf(id),
      name: place.name,
      type: labelType(schema, site),
      isRequired: isRequired === true,
      isOptional: isRequired === false,
      isDeprecated: place.isDeprecated === true || told['deprecated'] === true,
      isReadOnly: told['readOnly'] === true,
      isWriteOnly: told['writeOnly'] === true,
      description: text === '' ? NO_HTML : markdown(text),
      text,
      facts: isEntered
        ? factsAt(told, annotations, { isNamed: component !== null && groups.length === 0 })
        : [],
      choices: listChoices(told),
      groups,
      isOpen: depth === 0 && groups.some(isWorthOpening),
      fold: foldOf(groups.flatMap(({ heading, items }) => (heading === '' ? items : [])).length),
    };
  }

  // The page of a plain type has the rest: a pattern at every field would only be noise.
  function factsAt(told: JsonObject, own: JsonObject, { isNamed }: { isNamed: boolean }) {
    if (!isNamed) return listFacts(told);
    return isInput ? listFacts(told).filter(({ isProse }) => isProse) : listFacts(own);
  }

  return describe;
}

export type Describe = (schema: Schema, place: Place) => SchemaView;

/** Forms of a plain value can wait until they are asked for. */
function isWorthOpening({ isVariants, items }: SchemaGroup): boolean {
  return !isVariants || items.some(({ groups }) => groups.length > 0);
}

function foldOf(count: number): string {
  if (count === 0) return 'Forms';
  return count === 1 ? '1 field' : `${count} fields`;
}

function textIn(schema: JsonObject, key: string): string {
  const value = schema[key];
  return typeof value === 'string' ? value : '';
}
