import type { Location, PointerDiagnostic } from '../../common/diagnostic.ts';
import { nearestName } from '../../common/validators-runtime/nearest-name.js';
import type { Level, Options } from '../levels/levels.ts';
import type { LintContext } from './context.ts';

/** A finding of a rule; `fix` defaults to the one of the rule. */
export interface RuleFinding extends PointerDiagnostic {
  /** Set when it differs from the location of the pointer. */
  readonly location?: Location;
}

/** The presets of severities. */
export const presets = ['recommended', 'strict'] as const;

export type Preset = (typeof presets)[number];

/** The documentation of a rule. */
interface RuleText {
  readonly id: string;
  readonly levels: Readonly<Record<Preset, Level>>;
  /** What the rule requires, as one sentence without a full stop. */
  readonly title: string;
  /** What goes wrong without it. */
  readonly protects: string;
  /** The clause it enforces, or the document in which it found the defect. */
  readonly source: { readonly text: string; readonly url: string };
  /** How to fix a finding, in the imperative, without a full stop. */
  readonly fix: string;
  /** Parts of a document in YAML that the rule reports and accepts. */
  readonly bad: string;
  readonly good: string;
}

/** A row of the table of rules; `options` are those of the configuration, or the row's own. */
export interface Rule extends RuleText {
  readonly family: string;
  readonly options: Options;
  check(context: LintContext, options: Options): Iterable<RuleFinding>;
}

interface Row<Own extends Options> extends Omit<RuleText, 'id' | 'levels'> {
  /** Options that a project may set, each with its default. */
  readonly options?: Own;
  check(context: LintContext, options: Own): Iterable<RuleFinding>;
}

/**
 * Creates a row of the table with its levels in the presets. The options that `check` receives have the
 * types of the row's own options; they are checked where the configuration is read.
 */
export function rule<Own extends Options = Record<never, never>>(
  id: string,
  [recommended, strict]: readonly [recommended: Level, strict: Level],
  row: Row<Own>,
): Omit<Rule, 'family'> {
  const options = row.options ?? ({} as Own);
  const levels = { recommended, strict };
  return {
    ...row,
    id,
    levels,
    options,
    check: (context, given) => row.check(context, given as Own),
  };
}

/** Suggests the name that `name` is probably a misspelling of, if there is one. */
export function didYouMean(name: string, names: readonly string[]): Pick<RuleFinding, 'fix'> {
  const nearest = nearestName(name, names);
  return nearest === null ? {} : { fix: `did you mean "${nearest}"?` };
}

const OPENRPC = 'https://spec.open-rpc.org/';
const JSON_SCHEMA = 'https://json-schema.org/draft-07/';

/** A clause of OpenRPC, by the anchor of its section. */
export const openrpc = (anchor: string, text: string) => ({
  text: `OpenRPC: ${text}`,
  url: `${OPENRPC}#${anchor}`,
});

/** A clause of JSON Schema draft-07: "core" or "validation", and the section. */
export const jsonSchema = (part: 'core' | 'validation', section: string, text: string) => ({
  text: `JSON Schema draft-07, ${part} ${section}: ${text}`,
  url: `${JSON_SCHEMA}draft-handrews-json-schema${part === 'core' ? '' : '-validation'}-01.html#rfc.section.${section}`,
});

/** A section of JSON-RPC 2.0, by its anchor. */
export const jsonRpc = (anchor: string, text: string) => ({
  text: `JSON-RPC 2.0: ${text}`,
  url: `https://www.jsonrpc.org/specification#${anchor}`,
});
