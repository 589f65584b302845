import type { Location, PointerDiagnostic, Severity } from '../../common/diagnostic.ts';
import type { LintContext } from './context.ts';

/** A finding of a rule; without a `fix` of its own it has the rule's. */
export interface RuleFinding extends PointerDiagnostic {
  /** Set when it is not where the text has the pointer. */
  readonly location?: Location;
}

export type RuleLevel = Severity | 'off';

/** The presets of severities. */
export const presets = ['recommended', 'strict'] as const;

export type Preset = (typeof presets)[number];

export type OptionValue = string | number | boolean | readonly string[];

export type RuleOptions = Readonly<Record<string, OptionValue>>;

/** The documentation of a rule. */
export interface RuleText {
  readonly id: string;
  readonly levels: Readonly<Record<Preset, RuleLevel>>;
  /** What the rule requires, as one sentence without a full stop. */
  readonly title: string;
  /** What goes wrong without it. */
  readonly protects: string;
  /** The clause it enforces, or the document in which it found the defect. */
  readonly source: { readonly text: string; readonly url: string };
  /** How to fix a finding, in the imperative, without a full stop. */
  readonly fix: string;
  /** Parts of a document in YAML: one that the rule reports, one that it accepts. */
  readonly bad: string;
  readonly good: string;
}

/** A row of the table of rules; `options` are those of the configuration, or the row's own. */
export interface Rule extends RuleText {
  readonly family: string;
  readonly options: RuleOptions;
  check(context: LintContext, options: RuleOptions): Iterable<RuleFinding>;
}

interface Row<Options extends RuleOptions> extends RuleText {
  /** Options a project may set, each with the value it has otherwise. */
  readonly options?: Options;
  check(context: LintContext, options: Options): Iterable<RuleFinding>;
}

/** A row whose options, checked where the configuration is read, have the types of its own. */
export function rule<Options extends RuleOptions = Record<never, never>>(
  row: Row<Options>,
): Omit<Rule, 'family'> {
  const options = row.options ?? ({} as Options);
  return { ...row, options, check: (context, given) => row.check(context, given as Options) };
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
