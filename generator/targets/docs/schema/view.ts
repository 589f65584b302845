import type { Html } from '../html.ts';

/** A schema as a reader sees it: what the templates show of a parameter, a field, a variant. */
export interface SchemaView {
  /** Deep link; "" where the place has none. */
  readonly id: string;
  /** Its fragment: "#…". */
  readonly href: string;
  readonly name: string;
  readonly type: readonly TypePart[];
  readonly isRequired: boolean;
  readonly isOptional: boolean;
  readonly isDeprecated: boolean;
  readonly isReadOnly: boolean;
  readonly isWriteOnly: boolean;
  readonly description: Html;
  /** Plain text of the description. */
  readonly text: string;
  readonly facts: readonly Fact[];
  /** Values of an enumeration, as JSON. */
  readonly choices: readonly string[];
  readonly groups: readonly SchemaGroup[];
  /** Fields below it are shown without being asked for. */
  readonly isOpen: boolean;
  /** What the fold is called: "Fields of config". */
  readonly fold: string;
}

/** Part of the name of a type: plain text, or a link to the page of a component. */
export interface TypePart {
  readonly text: string;
  /** Relative to the site's root; "" for plain text. */
  readonly href: string;
}

export interface Fact {
  readonly label: string;
  readonly value: string;
  /** A sentence; other values are code. */
  readonly isProse: boolean;
  /** Shown in a fold: nobody wants to read it at once. */
  readonly isLong: boolean;
}

export interface SchemaGroup {
  /** "" for the fields of an object. */
  readonly heading: string;
  readonly isVariants: boolean;
  readonly items: readonly SchemaView[];
}
