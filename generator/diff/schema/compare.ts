import type { Containments } from '../../containment/containment.ts';
import { explain, type Explanation } from './explain.ts';
import type { Direction, SchemaFinding } from './finding.ts';
import { compareMembers } from './members.ts';
import { VALUE_REPLACED } from './piece-finding.ts';
import { follow, nodeAt, type Models } from './place.ts';
import { alignedParts } from './align.ts';
import type { Pair } from './question.ts';

/** A finding and the roots that lead to it. */
export interface SchemaChange extends SchemaFinding {
  readonly direction: Direction;
  readonly roots: ReadonlySet<string>;
}

export interface SchemaComparer {
  /** Compares what a parameter, a result or the like allowed and allows; `root` is what it is called. */
  compare(pair: Pair, direction: Direction, root: string): void;
  /** Everything found, each once, with all the roots that lead to it. */
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
  /** False where the schemas around the pair make up for what it no longer allows. */
  readonly mayBreak: boolean;
}

/**
 * Compares schemas of two documents. Whether a change breaks is decided for the whole first: nothing
 * in a parameter that allows all it did can break a call, however it is said. Where it does break, the
 * reason is looked for in its parts.
 */
export function createSchemaComparer(models: Models, containments: Containments): SchemaComparer {
  const visited = new Map<string, Visited>();
  const found = new Map<string, SchemaFinding & { direction: Direction; roots: Set<string> }>();
  const { pool, contains } = containments;

  function visit({ pair, direction, mayBreak }: Task): Visited {
    const [old, fresh] = [nodeAt(pool, pair.old), nodeAt(pool, pair.new)];
    if (old === fresh) return { findings: [], next: [] };
    const isRequest = direction === 'request';
    const kept = isRequest ? contains(fresh, old) : contains(old, fresh);
    const gained = isRequest ? contains(old, fresh) : contains(fresh, old);
    if (kept.holds === 'yes' && gained.holds === 'yes') {
      const where = { old: pair.old.pointer, new: pair.new.pointer };
      const what = 'says the same in other words';
      return { findings: [{ kind: 'schema-rewritten', what, ...where }], next: [] };
    }
    const breaks = mayBreak && kept.holds !== 'yes';
    const members = compareMembers({ models, containments, direction, mayBreak: breaks }, pair);
    const common = { models, containments, direction, told: members.told };
    const [from, to] = isRequest ? [pair.old, pair.new] : [pair.new, pair.old];
    const worse = breaks ? explain({ ...common, inner: from, outer: to }) : NOTHING;
    const isHarmless = kept.holds === 'yes';
    const asksBetter = gained.holds === 'no' || isHarmless;
    const better = asksBetter ? explain({ ...common, inner: to, outer: from }) : NOTHING;
    const isReplaced = worse.findings.some(({ kind }) => kind === VALUE_REPLACED);
    const harmful = new Set(worse.deeper.map(keyOfPair));
    const parts = alignedParts(models, pair).filter(
      (part) => nodeAt(pool, part.old) !== nodeAt(pool, part.new),
    );
    const deeper = [...worse.deeper, ...better.deeper, ...parts];
    return {
      findings: [
        ...members.findings,
        ...worse.findings,
        ...better.findings
          .filter(({ kind }) => !isReplaced || kind !== 'response-value-removed')
          .flatMap((each) => settle(each, { isHarmless, direction })),
      ],
      next: deeper.map((part) => ({
        pair: part,
        direction,
        mayBreak: breaks && harmful.has(keyOfPair(part)),
      })),
    };
  }

  return {
    compare(pair, direction, root) {
      const ahead: Task[] = [{ pair, direction, mayBreak: true }];
      const seen = new Set<string>();
      // An array hands out what is added while it is walked.
      for (const task of ahead) {
        const at = { old: follow(models, task.pair.old), new: follow(models, task.pair.new) };
        const key = `${task.direction} ${task.mayBreak} ${keyOfPair(at)}`;
        if (seen.has(key)) continue;
        seen.add(key);
        const result = visited.get(key) ?? visit({ ...task, pair: at });
        visited.set(key, result);
        for (const finding of result.findings) note(finding, direction, root);
        ahead.push(...result.next);
      }
    },
    changes: () => [...found.values()],
  };

  function note(finding: SchemaFinding, direction: Direction, root: string): void {
    const key = `${finding.kind} ${finding.old} ${finding.new} ${finding.what}`;
    const known = found.get(key) ?? { ...finding, direction, roots: new Set<string>() };
    known.roots.add(root);
    found.set(key, known);
  }
}

/** What could not be decided of a change for the better: told where nothing breaks, else left out. */
function settle(
  finding: SchemaFinding,
  { isHarmless, direction }: { readonly isHarmless: boolean; readonly direction: Direction },
): readonly SchemaFinding[] {
  if (!finding.kind.endsWith('-undecided')) return [finding];
  if (!isHarmless) return [];
  const what = finding.what.replace(/, and it could not be decided .*$/s, ', and breaks nothing');
  const kind = direction === 'request' ? 'request-schema-widened' : 'response-schema-narrowed';
  return [{ ...finding, kind, what }];
}

const NOTHING: Explanation = { findings: [], deeper: [] };

function keyOfPair(pair: Pair): string {
  return `${pair.old.pointer} ${pair.new.pointer}`;
}
