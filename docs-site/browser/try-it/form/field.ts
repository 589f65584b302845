import type { Json } from '../../../samples/sample.ts';
import type { Schema } from '../schema/schema.ts';
import type { SchemaReader } from '../schema/reader.ts';

/** A place in the form: the control of one value, or a group of such. */
export interface Field {
  readonly element: HTMLElement;
  /** Where the focus goes when the place is asked for. */
  readonly control: HTMLElement;
  /** The value; undefined when there is none yet. */
  read(): Json | undefined;
  /** The place within, by a token of a JSON Pointer. */
  child(token: string): Field | undefined;
  /** Shows what is wrong here; nothing takes it away. */
  report(messages: readonly string[]): void;
}

export interface Place {
  readonly label: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  /** An item of a list, of which there may be any number. */
  readonly isItem?: boolean;
  /** What it is for, where the schema does not say. */
  readonly summary?: string;
  /** Within a group that bears the label already. */
  readonly isBare?: boolean;
  /** Takes the place out of the form; a place that has to be there has none. */
  readonly onRemove?: () => void;
}

/** What every place shares. */
export interface Form {
  readonly reader: SchemaReader;
  makeField(place: Place, value: Json | undefined): Field;
  /** Something was changed. */
  changed(): void;
}
