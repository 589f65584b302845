import type { Html } from '../html.ts';

/** The view of a parameter, field or variant. */
export interface SchemaView {
  /** Id of the deep link, or "". */
  readonly id: string;
  /** Fragment of the deep link: "#…". */
  readonly href: string;
  readonly name: string;
  readonly type: readonly TypePart[];
  readonly isRequired: boolean;
  readonly isOptional: boolean;
  readonly isDeprecated: boolean;
  readonly isReadOnly: boolean;
  readonly isWriteOnly: boolean;
  /** Whether it is within a component that has another page. */
  readonly isShared: boolean;
  readonly description: Html;
  /** The description as Markdown. */
  readonly text: string;
  readonly facts: readonly Fact[];
  /** Values of an enum, as JSON. */
  readonly choices: readonly string[];
  readonly groups: readonly SchemaGroup[];
  /** Whether its fields are unfolded. */
  readonly isOpen: boolean;
  /** Label of the fold: "3 fields". */
  readonly fold: string;
}

/** Part of a type's name: plain text, or a link to a component. */
export interface TypePart {
  readonly text: string;
  /** Relative to the site's root; "" for plain text. */
  readonly href: string;
}

export interface Fact {
  readonly label: string;
  readonly value: string;
  /** Whether it is a sentence rather than code. */
  readonly isProse: boolean;
  /** Whether it is folded. */
  readonly isLong: boolean;
}

export interface SchemaGroup {
  /** "" for the fields of an object. */
  readonly heading: string;
  readonly isVariants: boolean;
  readonly items: readonly SchemaView[];
}
