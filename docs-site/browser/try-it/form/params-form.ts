import { splitPointer } from '../../../../common/json/pointer.ts';
import type { Json } from '../../../samples/sample.ts';
import { make, makeButton } from '../../elements.ts';
import type { MethodData, ParamData, Params } from '../method-data.ts';
import { readMembers, type Field, type Form } from './field.ts';

/** The params of a method as a form. */
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
  const fields = new Map<string, Field>();
  const list = make('div', { class: 'ti-members' });
  const adders = make('div', { class: 'ti-adders' });
  const element = make('div', { class: 'ti-params' }, list, adders);
  let isByName = paramStructure === 'by-name';
  let reported: Field[] = [];

  const draw = (): void => {
    const order = [...params.map(({ name }) => name), ...[...fields.keys()].filter(isExtra)];
    list.replaceChildren(
      ...order.flatMap((name) => (fields.has(name) ? [fields.get(name)!.element] : [])),
    );
    const missing = params.filter(({ name }) => !fields.has(name));
    adders.replaceChildren(...missing.map((param) => adderOf(param)));
    if (params.length === 0 && fields.size === 0) {
      list.replaceChildren(make('p', { class: 'ti-hint' }, 'This method takes no parameters.'));
    }
  };
  const isExtra = (name: string): boolean => !params.some((param) => param.name === name);
  const put = (name: string, value: Json | undefined): void => {
    const param = params.find((param) => param.name === name);
    const { schema = true, required = false, summary = '' } = param ?? {};
    const place = {
      label: name,
      schema,
      isRequired: required,
      ...(summary === '' ? {} : { summary }),
      ...(required ? {} : { onRemove: () => remove(name) }),
    };
    fields.set(
      name,
      form.makeField(place, value === undefined ? form.reader.initial(schema) : value),
    );
  };
  const adderOf = ({ name }: ParamData): HTMLElement =>
    makeButton(
      name,
      () => {
        put(name, undefined);
        draw();
        fields.get(name)!.control.focus();
        form.changed();
      },
      { class: 'ti-add', 'data-name': name, 'aria-label': `Add ${name}` },
    );
  const remove = (name: string): void => {
    fields.delete(name);
    draw();
    (adders.querySelector<HTMLElement>(`[data-name="${CSS.escape(name)}"]`) ?? adders).focus();
    form.changed();
  };

  const write = (given: Params): boolean => {
    const isArray = Array.isArray(given);
    if (paramStructure !== 'either' && isArray === (paramStructure === 'by-name')) return false;
    isByName = !isArray;
    fields.clear();
    const entries: readonly (readonly [string, Json])[] = isArray
      ? (given as readonly Json[]).map((value, index) => [
          params[index]?.name ?? `[${index}]`,
          value,
        ])
      : Object.entries(given);
    for (const [name, value] of entries) put(name, value);
    for (const { name, required } of params)
      if (required && !fields.has(name)) put(name, undefined);
    draw();
    return true;
  };

  const readPositions = (): Params => {
    const values = params.map(({ name }) => fields.get(name)?.read());
    for (const [name, field] of fields) if (isExtra(name)) values.push(field.read() ?? null);
    const last = values.findLastIndex((value) => value !== undefined);
    // JSON arrays have no holes: a missing value before the last one becomes its default or null.
    return values
      .slice(0, last + 1)
      .map((value, index) => value ?? form.reader.flatten(params[index]!.schema).default ?? null);
  };

  const find = (pointer: string): Field | undefined => {
    const [first, ...rest] = splitPointer(pointer);
    const name = isByName ? first : (params[Number(first)]?.name ?? `[${first}]`);
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
    read: () => (isByName ? readMembers(fields) : readPositions()),
    write,
    find,
    report,
  };
}
