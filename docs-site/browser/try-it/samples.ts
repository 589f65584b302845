import { renderSamples } from '../../samples/render-samples.ts';
import type { SampleCall } from '../../samples/sample.ts';
import { highlight } from './highlight.ts';

/** Writes the page's samples anew for a call. */
export function drawSamples(call: SampleCall): void {
  const samples = new Map(renderSamples(call).map(({ id, code }) => [id, code]));
  for (const tab of document.querySelectorAll<HTMLElement>('[data-tabs="sample"] [data-tab]')) {
    const place = tab.querySelector('code');
    const code = samples.get(tab.dataset['tab'] ?? '');
    const text =
      code ?? `This language cannot make the call on ${call.network?.name ?? 'this network'}.`;
    if (place === null || place.textContent === text) continue;
    place.replaceChildren(...highlight(text));
  }
}
