import {
  type Diagnostic,
  DocumentError,
  type Omission,
  type PointerDiagnostic,
} from '../../common/diagnostic.ts';
import { splitPointer, valueAt } from '../../common/json/pointer.ts';
import { localTarget, referenceOf } from '../../common/json/reference.ts';
import { isObject, type Json, type JsonObject } from '../../common/json/value.ts';
import type { Draft } from '../bundle/bundle.ts';
import { diagnosticAt } from '../bundle/places.ts';
import { furtherErrors, MAX_ERRORS } from '../source/problems.ts';
import type { Violation } from '../validation/to-diagnostic.ts';
import { planOmission, type OmissionPlan } from './plan-omission.ts';

/** Finds what is broken in a document. */
type Find = (document: JsonObject) => readonly Violation[] | Promise<readonly Violation[]>;

/**
 * Maximum number of rounds: an omission may break the parts that refer to it. Longer chains are a
 * mistake.
 */
const MAX_ROUNDS = 50;

/** Leaves the broken parts out of a document, and records each with its reason. */
export class Omitter {
  readonly omissions: Omission[] = [];
  readonly #draft: Draft;
  /** Pointers to the components that were left out. */
  readonly #components = new Set<string>();
  /** Places of the omissions. */
  readonly #listed = new Set<string>();

  constructor(draft: Draft) {
    this.#draft = draft;
  }

  /** Returns a diagnostic about the document at its place in the text. */
  report = ({ pointer, ...says }: PointerDiagnostic): Diagnostic => {
    const { document, places, source } = this.#draft;
    return diagnosticAt(places.find(document, pointer) ?? { source, pointer }, says);
  };

  /**
   * Leaves out what `find` finds, until it finds nothing.
   *
   * @throws DocumentError with everything found so far if nothing of use would be left, or there is too
   *   much to list
   */
  async omitAll(find: Find): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const found = await find(this.#draft.document);
      if (found.length === 0) return;
      const isLast = round === MAX_ROUNDS - 1;
      const listed = found
        .slice(0, MAX_ERRORS + 1)
        .map((each) => ({ ...each, ...this.report(this.#explain(each)) }));
      this.omit(listed, isLast);
      if (found.length > MAX_ERRORS) {
        throw new DocumentError([...this.omissions, furtherErrors(listed.at(-1)!.location)]);
      }
    }
  }

  /**
   * Leaves out parts, each with its diagnostic.
   *
   * @throws DocumentError if nothing of use would be left, or there are too many to list
   */
  omit(found: readonly (Violation & Diagnostic)[], mustStop = false): void {
    const { document } = this.#draft;
    const plans: OmissionPlan[] = [];
    let isUsable = !mustStop;
    for (const { isUnknown, ...each } of found) {
      const { pointer, ...diagnostic } = each;
      const plan = planOmission(document, pointer, isUnknown);
      if (plan === null) isUsable = false;
      else plans.push(plan);
      this.#add({ ...diagnostic, effect: plan?.effect ?? '', method: plan?.method ?? null });
    }
    if (!isUsable) throw new DocumentError(this.omissions);
    for (const { pointer } of plans) if (isComponent(pointer)) this.#components.add(pointer);
    applyAll(document, plans);
  }

  /**
   * Records a part that was left out already.
   *
   * @throws DocumentError if there are too many to list
   */
  record(omission: Omission): void {
    this.#add(omission);
  }

  // Two checks may report the same place; the first report is the most specific.
  #add(omission: Omission): void {
    const { file, pointer } = omission.location;
    const place = `${file}#${pointer}`;
    if (this.#listed.has(place)) return;
    this.#listed.add(place);
    if (this.omissions.length === MAX_ERRORS) {
      throw new DocumentError([...this.omissions, furtherErrors(omission.location)]);
    }
    this.omissions.push(omission);
  }

  /** Names the cause of a reference to a component that was left out. */
  #explain(found: PointerDiagnostic): PointerDiagnostic {
    const target = localTarget(referenceOf(valueAt(this.#draft.document, found.pointer)));
    const component = target === null ? '' : target.split('/').slice(0, 4).join('/');
    if (!this.#components.has(component)) return found;
    const message = 'it refers to a component that is left out';
    return { ...found, message, fix: 'correct the component' };
  }
}

function isComponent(pointer: string): boolean {
  return /^\/components\/[^/]+\/[^/]+$/.test(pointer);
}

type Container = Record<string, Json>;

/** Applies plans made for the same state of the document: no removal moves the place of another one. */
function applyAll(document: JsonObject, plans: readonly OmissionPlan[]): void {
  const holders = plans.map(({ pointer }) => {
    const cut = pointer.lastIndexOf('/');
    return valueAt(document, pointer.slice(0, cut));
  });
  const removed = new Map<Json[], Set<number>>();
  for (const [index, { pointer, replacement }] of plans.entries()) {
    const holder = holders[index];
    const key = splitPointer(pointer).at(-1)!;
    if (typeof holder !== 'object' || holder === null) continue;
    if (replacement !== undefined) (holder as Container)[key] = replacement;
    else if (Array.isArray(holder)) {
      removed.set(holder, (removed.get(holder) ?? new Set()).add(Number(key)));
    } else if (isObject(holder)) delete (holder as Container)[key];
  }
  for (const [list, indexes] of removed) {
    const kept = list.filter((_, index) => !indexes.has(index));
    for (const [index, value] of kept.entries()) list[index] = value;
    list.length = kept.length;
  }
}
