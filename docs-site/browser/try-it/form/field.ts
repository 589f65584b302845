import type { Json } from '../../../../common/samples/sample.ts';
import type { SchemaReader } from '../schema/reader.ts';
import type { Schema, SchemaObject } from '../schema/schema.ts';

/** The control of a value, or a group of controls. */
export interface Field {
  readonly element: HTMLElement;
  /** The element that gets the focus. */
  readonly control: HTMLElement;
  /** Returns undefined while there is no value. */
  read(): Json | undefined;
  /** Returns an inner field by a token of a JSON pointer. */
  child(token: string): Field | undefined;
  /** Shows messages; an empty list clears them. */
  report(messages: readonly string[]): void;
}

/** The place of a field in the params. */
export interface Place {
  readonly label: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  /** Whether it is an item of a list. */
  readonly isItem?: boolean;
  /** Describes the value when the schema does not. */
  readonly summary?: string;
  /** Whether the group around it shows the label. */
  readonly isBare?: boolean;
  /** Removes the field; absent for required ones. */
  readonly onRemove?: () => void;
}

/** What all fields share. */
export interface Form {
  readonly reader: SchemaReader;
  makeField(place: Place, value: Json | undefined): Field;
  changed(): void;
}

/** What a field is made from. */
export interface FieldOptions {
  readonly form: Form;
  readonly place: Place;
  /** The schema of the place, flattened. */
  readonly schema: SchemaObject;
  readonly value: Json | undefined;
}
