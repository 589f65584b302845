import { splitPointer } from '../../../../common/json/pointer.ts';
import type { Json } from '../../../../common/samples/sample.ts';
import { make } from '../../elements.ts';
import type { MethodData, Params } from '../method-data.ts';
import type { Field, Form } from './field.ts';
import { Members } from './members.ts';

export interface ParamsForm {
  readonly element: HTMLElement;
  read(): Params;
  /** Shows params; returns false when their structure is not the method's. */
  write(params: Params): boolean;
  /** Returns the field at a JSON pointer, or the nearest one around it. */
  find(pointer: string): Field | undefined;
  /** Replaces all messages. */
  report(found: readonly { readonly field: Field; readonly message: string }[]): void;
}

export function makeParamsForm(
  form: Form,
  { paramStructure, params }: Pick<MethodData, 'paramStructure' | 'params'>,
): ParamsForm {
  const known = new Map(params.map((param) => [param.name, param]));
  const members = new Members({
    form,
    names: [...known.keys()],
    isOrdered: true,
    placeOf(name) {
      const { schema = true, required = false, summary = '' } = known.get(name) ?? {};
      return { schema, isRequired: required, ...(summary !== '' && { summary }) };
    },
    adderLabel: (name) => `Add ${name}`,
  });
  const { fields } = members;
  const none = make('p', { class: 'ti-hint' }, 'This method takes no parameters.');
  const element = make('div', { class: 'ti-params' }, none, members.list, members.adders);
  let isByName = paramStructure === 'by-name';
  let reported: Field[] = [];

  const write = (given: Params): boolean => {
    const isArray = Array.isArray(given);
    if (paramStructure !== 'either' && isArray === (paramStructure === 'by-name')) return false;
    isByName = !isArray;
    members.write(
      isArray
        ? (given as readonly Json[]).map((value, index) => [nameAt(index), value])
        : Object.entries(given),
    );
    none.hidden = params.length > 0 || fields.size > 0;
    return true;
  };
  const nameAt = (index: number): string => params[index]?.name ?? `[${index}]`;

  const readPositions = (): Params => {
    const values = params.map(({ name }) => fields.get(name)?.read());
    for (const [name, field] of fields) if (!known.has(name)) values.push(field.read() ?? null);
    const last = values.findLastIndex((value) => value !== undefined);
    // JSON arrays have no holes: a missing value before the last one becomes its default or null.
    return values.slice(0, last + 1).map((value, index) => {
      if (value !== undefined) return value;
      return form.reader.flatten(params[index]!.schema).default ?? null;
    });
  };

  const find = (pointer: string): Field | undefined => {
    const [first, ...rest] = splitPointer(pointer);
    const name = isByName ? first : nameAt(Number(first));
    let field = fields.get(name ?? '');
    for (const token of rest) {
      const within = field?.child(token);
      if (within === undefined) break;
      field = within;
    }
    return field;
  };

  const report: ParamsForm['report'] = (found) => {
    for (const field of reported) field.report([]);
    reported = [...new Set(found.map(({ field }) => field))];
    for (const field of reported) {
      field.report(found.filter((each) => each.field === field).map(({ message }) => message));
    }
  };

  return {
    element,
    read: () => (isByName ? members.read() : readPositions()),
    write,
    find,
    report,
  };
}
