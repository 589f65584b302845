import { jsonText } from '../../samples/json-text.ts';
import { make, newId } from './elements.ts';
import type { Field } from './form/field.ts';
import { createForm } from './form/make-field.ts';
import { makeParamsForm } from './form/params-form.ts';
import { JsonFault, parseJson, valueOf } from './json/parse.ts';
import type { MethodData, Params } from './method-data.ts';
import { SchemaReader } from './schema/reader.ts';
import { makeTabList } from './tab-list.ts';
import type { Violation } from './validators.ts';

/** The params of a call, as a form and as JSON, each following the other. */
export interface Editor {
  readonly element: HTMLElement;
  params(): Params;
  write(params: Params): void;
  /** Shows each violation at its place; gives those that have none in the form. */
  report(violations: readonly Violation[]): readonly Violation[];
  /** Whether JSON is shown that cannot be read; moves the focus there. What is sent is another text then. */
  refuseText(): boolean;
  /** Moves the focus to the place of a violation. */
  focus(violation: Violation): void;
}

export function makeEditor(method: MethodData, changed: () => void): Editor {
  let params: Params = [];
  /** Whether they are what the text says. */
  let isRead = true;
  const reader = new SchemaReader(method.components.schemas);
  const form = makeParamsForm(
    createForm(reader, () => {
      params = form.read();
      isRead = true;
      text.value = jsonText(params, 2);
      fault.hidden = true;
      text.removeAttribute('aria-invalid');
      changed();
    }),
    method,
  );
  const fault = make('p', { class: 'ti-message', id: newId(), role: 'alert', hidden: true });
  const text = make('textarea', {
    class: 'ti-json',
    rows: 12,
    spellcheck: 'false',
    autocomplete: 'off',
    'aria-label': 'Params as JSON',
    'aria-describedby': fault.id,
  });
  const readText = (): void => {
    const problem = takeText();
    fault.hidden = problem === null;
    fault.textContent = problem;
    if (problem === null) text.removeAttribute('aria-invalid');
    else text.setAttribute('aria-invalid', 'true');
  };
  const takeText = (): string | null => {
    isRead = false;
    try {
      const value = valueOf(parseJson(text.value));
      if (typeof value !== 'object' || value === null) {
        return 'Params are an array or an object. The form keeps what it had.';
      }
      params = value;
      isRead = true;
      const isShown = form.write(value);
      changed();
      if (isShown) return null;
      const wanted = Array.isArray(value) ? 'an object by name' : 'an array by position';
      return `This method takes ${wanted}. The form keeps what it had; sent is what stands here.`;
    } catch (error) {
      if (!(error instanceof JsonFault)) throw error;
      return `Not JSON at ${error.message}. The form keeps what it had.`;
    }
  };
  text.addEventListener('input', readText);
  const views = [form.element, make('div', {}, text, fault)];
  const panel = make('div', { role: 'tabpanel', id: newId(), 'aria-label': 'Form' }, ...views);
  const show = (index: number): void => {
    for (const [at, view] of views.entries()) view.hidden = at !== index;
    panel.setAttribute('aria-label', index === 0 ? 'Form' : 'JSON');
  };
  const tabs = makeTabList({
    label: 'Params',
    titles: ['Form', 'JSON'],
    selected: 0,
    panel: panel.id,
    onSelect: show,
  });
  show(0);
  const focusOn = (field: Field): void => {
    tabs.select(0);
    show(0);
    // The message belongs to what is looked at, and nothing may lie over it.
    field.control.focus({ preventScroll: true });
    field.control.closest('.ti-field, .ti-group')?.scrollIntoView({ block: 'center' });
  };
  return {
    element: make('div', { class: 'ti-editor' }, tabs.element, panel),
    params: () => params,
    write: (given) => {
      params = given;
      text.value = jsonText(given, 2);
      readText();
    },
    report: (violations) => {
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
    refuseText: () => {
      if (isRead || text.parentElement!.hidden) return false;
      text.focus();
      return true;
    },
    focus: ({ pointer }) => {
      const field = form.find(pointer);
      if (field !== undefined) focusOn(field);
    },
  };
}

/** A validator's message stands beside its field, which says the place. */
function sentence(message: string): string {
  const what = message.slice(message.indexOf(': ') + 2);
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}${/[.?!]$/.test(what) ? '' : '.'}`;
}
