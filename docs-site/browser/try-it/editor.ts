import { jsonText } from '../../../common/samples/json-text.ts';
import { make, newId } from '../elements.ts';
import { makeTabList } from '../tab-list.ts';
import type { Field } from './form/field.ts';
import { createForm } from './form/make-field.ts';
import { makeParamsForm } from './form/params-form.ts';
import { JsonSyntaxError, parseJson, valueOf } from './json.ts';
import type { Components, MethodData, Params } from './method-data.ts';
import { SchemaReader } from './schema/reader.ts';
import type { Violation } from './validators.ts';

/** The params of a call as a form and as JSON, kept in sync. */
export interface Editor {
  readonly element: HTMLElement;
  params(): Params;
  write(params: Params): void;
  /** Shows violations beside their fields; returns those without a field. */
  report(violations: readonly Violation[]): readonly Violation[];
  /** Returns whether the JSON shown is invalid; if so, moves the focus to it. */
  refuseText(): boolean;
  /** Moves the focus to the field of a violation. */
  focus(violation: Violation): void;
}

export function makeEditor(
  { method, components }: { readonly method: MethodData; readonly components: Components },
  changed: () => void,
): Editor {
  let params: Params = [];
  const reader = new SchemaReader(components);
  const form = makeParamsForm(
    createForm(reader, () => {
      params = form.read();
      json.show(params);
      changed();
    }),
    method,
  );
  const json = makeJsonEditor((value) => {
    params = value;
    const isShown = form.write(value);
    changed();
    if (isShown) return null;
    const expected = Array.isArray(value) ? 'an object (by name)' : 'an array (by position)';
    return `This method takes ${expected}. The form is unchanged; the JSON here is sent.`;
  });
  const views = makeViews(form.element, json.element);
  return {
    element: views.element,
    params: () => params,
    write(given) {
      params = given;
      json.show(given);
      json.read();
    },
    report(violations) {
      const placed = violations.map((violation) => ({
        violation,
        field: form.find(violation.pointer),
      }));
      form.report(
        placed.flatMap(({ field, violation: { message } }) =>
          field === undefined ? [] : [{ field, message: sentence(message) }],
        ),
      );
      return placed.flatMap(({ field, violation }) => (field === undefined ? [violation] : []));
    },
    refuseText: () => json.refuse(),
    focus({ pointer }) {
      const field = form.find(pointer);
      if (field === undefined) return;
      views.showForm();
      focusOn(field);
    },
  };
}

interface JsonEditor {
  readonly element: HTMLElement;
  /** Shows params that are valid. */
  show(params: Params): void;
  read(): void;
  refuse(): boolean;
}

/** `take` gets valid params and returns a warning, if any. */
function makeJsonEditor(take: (params: Params) => string | null): JsonEditor {
  let isValid = true;
  const message = make('p', { class: 'ti-message', id: newId(), role: 'alert', hidden: true });
  const text = make('textarea', {
    class: 'ti-json',
    rows: 12,
    spellcheck: 'false',
    autocomplete: 'off',
    'aria-label': 'Params as JSON',
    'aria-describedby': message.id,
    oninput: () => read(),
  });
  const element = make('div', {}, text, message);
  const report = (warning: string | null): void => {
    message.hidden = warning === null;
    message.textContent = warning;
    if (warning === null) text.removeAttribute('aria-invalid');
    else text.setAttribute('aria-invalid', 'true');
  };
  const read = (): void => report(parse());
  const parse = (): string | null => {
    isValid = false;
    let value;
    try {
      value = valueOf(parseJson(text.value));
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      return `Invalid JSON: ${error.message}. The form is unchanged.`;
    }
    if (typeof value !== 'object' || value === null) {
      return 'Params must be an array or an object. The form is unchanged.';
    }
    isValid = true;
    return take(value);
  };
  return {
    element,
    show(params) {
      isValid = true;
      text.value = jsonText(params, 2);
      report(null);
    },
    read,
    refuse() {
      if (isValid || element.hidden) return false;
      text.focus();
      return true;
    },
  };
}

/** Tabs for the form and the JSON. */
function makeViews(...views: readonly [form: HTMLElement, json: HTMLElement]): {
  readonly element: HTMLElement;
  showForm(): void;
} {
  const titles = ['Form', 'JSON'];
  const panel = make('div', { role: 'tabpanel', id: newId() }, ...views);
  const show = (index: number): void => {
    for (const [at, view] of views.entries()) view.hidden = at !== index;
    panel.setAttribute('aria-label', titles[index]!);
  };
  const tabs = makeTabList({
    label: 'Params',
    titles,
    selected: 0,
    panel: panel.id,
    onSelect: show,
  });
  show(0);
  return {
    element: make('div', { class: 'ti-editor' }, tabs.element, panel),
    showForm() {
      tabs.select(0);
      show(0);
    },
  };
}

/** Scrolls to the whole field, so that its label and message are visible. */
function focusOn({ control }: Field): void {
  control.focus({ preventScroll: true });
  control.closest('.ti-field, .ti-group')?.scrollIntoView({ block: 'center' });
}

/** Removes the path from a validator's message, since it is shown beside its field. */
function sentence(message: string): string {
  const text = message.slice(message.indexOf(': ') + 2);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? '' : '.'}`;
}
