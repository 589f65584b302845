import type { Containments } from '../../containment/containment.ts';
import type { Side } from '../../containment/pool.ts';
import { explain } from './explain.ts';
import { compareMembers } from './members.ts';
import { VALUE_REPLACED } from './piece-finding.ts';
import { follow, nodeAt, type Models } from './place.ts';
import { alignedParts, alignedBranches } from './align.ts';
import { holderOf, placedAt, type Holder } from './holder.ts';
import type { Direction, Explanation, Pair, SchemaFinding } from './question.ts';
import { createReach } from './reach.ts';
import { isTypeChange } from './type-finding.ts';
import {
  findingOfVacancy,
  isEmptied,
  NOT_VACANT,
  vacancyOf,
  type Vacancy,
} from './unsatisfiable.ts';

/** A finding and the roots it was found below, one array for all findings with the same roots. */
export interface SchemaChange extends SchemaFinding {
  readonly roots: readonly string[];
}

export interface SchemaComparer {
  /** Compares the schemas of a parameter, result or similar, which findings name as `root`. */
  compare(pair: Pair, direction: Direction, root: string): void;
  /** Returns every finding once, with all its roots. */
  changes(): readonly SchemaChange[];
}

/** A pair of schemas that has been compared, and the pairs within it that differ. */
interface Visited {
  readonly findings: readonly SchemaFinding[];
  readonly next: readonly Task[];
}

interface Task {
  readonly pair: Pair;
  readonly direction: Direction;
  /** False if the surrounding schemas still allow the values that the pair no longer allows. */
  readonly mayBreak: boolean;
  /** False if the surrounding schemas allow values without this part. */
  readonly isNeeded: boolean;
  /** True if only contradictory schemas are searched. */
  readonly isSearch: boolean;
  /** The reference that led here, if the two documents refer to different components there. */
  readonly holder?: Holder | undefined;
}

/**
 * Compares schemas of two documents. Whether a change breaks is decided for the whole schema first: a
 * parameter that still allows all values cannot break a call, whatever changed within. If it breaks,
 * its parts are searched for the reason.
 */
export function createSchemaComparer(models: Models, containments: Containments): SchemaComparer {
  const visited = new Map<string, Visited>();
  // Each pair is compared once, as a node of a graph; which roots reach it follows from the graph.
  const numbers = new Map<string, number>();
  const tasks: (Task & { readonly key: string })[] = [];
  const next: (readonly number[])[] = [];
  const starts: { readonly root: string; readonly node: number }[] = [];
  const found = new Map<string, SchemaFinding & { nodes: Set<number> }>();
  const { pool, contains } = containments;

  /** Compares a pair as a whole. */
  function decide({ pair, direction, mayBreak, isSearch }: Task): Verdict {
    const [old, fresh] = [nodeAt(pool, pair.old), nodeAt(pool, pair.new)];
    const isRequest = direction === 'request';
    const kept = isRequest ? contains(fresh, old) : contains(old, fresh);
    const gained = isRequest ? contains(old, fresh) : contains(fresh, old);
    const mayBeVacant = kept.holds === 'yes' || gained.holds === 'yes';
    const vacant = mayBeVacant ? vacancyOf(containments, pair) : NOT_VACANT;
    // A schema that allows no value cannot lose any: this does not make the change harmless.
    const isKeptVacuously = vacant[isRequest ? 'old' : 'new'];
    const breaks = isKeptVacuously || (mayBreak && kept.holds !== 'yes');
    // If the whole schemas are equivalent, a contradiction on one side has no effect.
    const isFound = isSearch ? vacant.old && vacant.new : vacant.old || vacant.new;
    const isVacant = isFound && breaks;
    const isHarmless = kept.holds === 'yes' && !isVacant;
    return {
      vacant,
      isVacant,
      breaks,
      isHarmless,
      isSame: isHarmless && gained.holds === 'yes',
      asksBetter: gained.holds === 'no' || isHarmless || isVacant,
    };
  }

  function visit(task: Task): Visited {
    const { pair, direction, isSearch } = task;
    if (nodeAt(pool, pair.old) === nodeAt(pool, pair.new)) return { findings: [], next: [] };
    if (direction === 'response' && task.isNeeded && isEmptied(containments, pair)) {
      const vacant = { old: false, new: true };
      return { findings: [findingOfVacancy(vacant, pair, { containments, ...task })], next: [] };
    }
    const verdict = decide(task);
    const { vacant, isVacant, breaks, isSame } = verdict;
    const parts = differingParts(pair);
    const branches = alignedBranches(models, pool, pair);
    if (isSame || (isSearch && !isVacant)) {
      const where = { old: pair.old.pointer, new: pair.new.pointer };
      const what = 'was rewritten and allows the same values';
      return {
        findings: isSearch ? [] : [{ kind: 'schema-rewritten', what, ...where }],
        next: searchOf([...parts, ...branches], direction),
      };
    }
    const { findings, deeper, harmful } = report(task, verdict);
    const own = isVacant && !isCausedBelow(vacant, pair);
    const among = new Set(deeper.map(keyOfPair));
    return {
      findings: [
        ...(own ? [findingOfVacancy(vacant, pair, { containments, ...task })] : []),
        ...findings,
      ],
      next: [
        ...[...deeper, ...parts].map((part) => ({
          pair: part,
          direction,
          mayBreak: breaks && (isVacant || harmful.has(keyOfPair(part))),
          isNeeded: isVacant ? task.isNeeded : harmful.has(keyOfPair(part)),
          isSearch: false,
        })),
        ...searchOf(
          branches.filter((each) => !among.has(keyOfPair(each))),
          direction,
        ),
      ],
    };
  }

  /** Reports the changes of a pair, and the parts to search for reasons. */
  function report({ pair, direction }: Task, verdict: Verdict) {
    const { vacant, breaks, asksBetter, isHarmless } = verdict;
    const common = { models, containments, direction };
    const members = compareMembers({ ...common, mayBreak: breaks, vacant }, pair);
    const [from, to] =
      direction === 'request' ? (['old', 'new'] as const) : (['new', 'old'] as const);
    const ask = (inner: Side, outer: Side) =>
      explain({
        ...common,
        handled: members.handled,
        handledRequired: members.handledRequired,
        inner: pair[inner],
        outer: pair[outer],
        isPiecewise: vacant[inner],
      });
    const worse = breaks ? ask(from, to) : NOTHING;
    const better = asksBetter ? ask(to, from) : NOTHING;
    const isReplaced = worse.findings.some(({ kind }) => kind === VALUE_REPLACED);
    // A type that was replaced by another is one change, and not two.
    const said = new Set(worse.findings.map(({ what }) => what).filter(isTypeChange));
    return {
      findings: [
        ...members.findings,
        ...worse.findings,
        ...better.findings
          .filter(({ kind }) => !isReplaced || kind !== 'response-value-removed')
          .filter(({ what }) => !said.has(what))
          .flatMap((each) => settle(each, { isHarmless, direction })),
      ],
      deeper: [...worse.deeper, ...better.deeper],
      harmful: new Set(worse.deeper.map(keyOfPair)),
    };
  }

  function differingParts(pair: Pair): readonly Pair[] {
    return alignedParts(models, pair).filter(
      (part) => nodeAt(pool, part.old) !== nodeAt(pool, part.new),
    );
  }

  /** Returns whether a part contradicts itself in the same way; false for endless recursion. */
  function isCausedBelow(vacant: Vacancy, pair: Pair): boolean {
    const partsOf = (whole: Pair) =>
      differingParts(whole).filter((part) => {
        const other = vacancyOf(containments, part);
        return other.old === vacant.old && other.new === vacant.new;
      });
    const ahead = [...partsOf(pair)];
    const seen = new Set<string>();
    // Iterating an array includes elements that are added meanwhile.
    for (const part of ahead) {
      const at = { old: follow(models, part.old), new: follow(models, part.new) };
      if (seen.has(keyOfPair(at))) continue;
      seen.add(keyOfPair(at));
      const parts = partsOf(at);
      if (parts.length === 0) return true;
      ahead.push(...parts);
    }
    return false;
  }

  /** Returns the number of the node of a task, which is compared later if it is new. */
  function enter(task: Task): number {
    const at = { old: follow(models, task.pair.old), new: follow(models, task.pair.new) };
    const holder = holderOf(models, { ...task, at });
    const flags = [task.direction, task.mayBreak, task.isNeeded, task.isSearch];
    const key = `${flags.join(' ')} ${keyOfPair(at)}`;
    const place = `${key} ${holder === undefined ? '' : keyOfPair(holder.pair)}`;
    const number = numbers.get(place) ?? tasks.push({ ...task, pair: at, holder, key }) - 1;
    numbers.set(place, number);
    return number;
  }

  return {
    compare(pair, direction, root) {
      const task = { pair, direction, mayBreak: true, isNeeded: true, isSearch: false };
      starts.push({ root, node: enter(task) });
      for (let node = next.length; node < tasks.length; node += 1) {
        const { key, holder, ...entered } = tasks[node]!;
        const result = visited.get(key) ?? visit(entered);
        visited.set(key, result);
        for (const finding of result.findings) note(placedAt(finding, holder), node);
        next.push(result.next.map((each) => enter({ ...each, holder })));
      }
    },
    changes() {
      const reach = createReach({ starts, next });
      return [...found.values()].map(({ nodes, ...finding }) => {
        return { ...finding, roots: reach(nodes) };
      });
    },
  };

  function note(finding: SchemaFinding, node: number): void {
    const key = `${finding.kind} ${finding.old} ${finding.new} ${finding.what}`;
    const known = found.get(key) ?? { ...finding, nodes: new Set<number>() };
    known.nodes.add(node);
    found.set(key, known);
  }
}

/**
 * Reports an undecided improvement as a change that breaks nothing; omits it if something else breaks.
 */
function settle(
  finding: SchemaFinding,
  { isHarmless, direction }: { readonly isHarmless: boolean; readonly direction: Direction },
): readonly SchemaFinding[] {
  if (!finding.kind.endsWith('-undecided')) return [finding];
  if (!isHarmless) return [];
  const what = finding.what.replace(
    /, and its effect could not be decided.*$/s,
    ', but breaks nothing',
  );
  const kind = direction === 'request' ? 'request-schema-widened' : 'response-schema-narrowed';
  return [{ ...finding, kind, what }];
}

/** Creates tasks that only search for contradictions, below a pair that is already decided. */
function searchOf(pairs: readonly Pair[], direction: Direction): readonly Task[] {
  return pairs.map((pair) => ({
    pair,
    direction,
    mayBreak: false,
    isNeeded: false,
    isSearch: true,
  }));
}

interface Verdict {
  readonly vacant: Vacancy;
  /** Whether the keywords are compared one by one because a side allows no value. */
  readonly isVacant: boolean;
  /** Whether lost values are reported, and whether gained ones are. */
  readonly breaks: boolean;
  readonly asksBetter: boolean;
  readonly isHarmless: boolean;
  readonly isSame: boolean;
}

const NOTHING: Explanation = { findings: [], deeper: [] };

function keyOfPair(pair: Pair): string {
  return `${pair.old.pointer} ${pair.new.pointer}`;
}
