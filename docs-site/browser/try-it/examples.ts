import { make, makeField, newId } from '../elements.ts';
import type { ExampleData } from './method-data.ts';

/** A list to choose an example from. */
export interface Examples {
  /** Null when there are no examples. */
  readonly element: HTMLElement | null;
  /** Shows which example the params are from; null: custom values. */
  select(example: ExampleData | null): void;
}

export function makeExamples(
  examples: readonly ExampleData[],
  onChoose: (example: ExampleData) => void,
): Examples {
  const options = examples.map(({ name, error }) =>
    make('option', {}, error === null ? name : `${name} (error)`),
  );
  const select = make('select', { id: newId() }, make('option', {}, 'Custom values'), ...options);
  select.addEventListener('change', () => {
    const example = examples[select.selectedIndex - 1];
    if (example !== undefined) onChoose(example);
  });
  return {
    element: examples.length === 0 ? null : makeField('Example', select, { kind: ' ti-example' }),
    select(example) {
      select.selectedIndex = example === null ? 0 : examples.indexOf(example) + 1;
    },
  };
}
