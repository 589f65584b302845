import { jsonText } from '../../samples/json-text.ts';
import { loadSiteConfig } from '../site-config.ts';
import { showOutcome } from './answer/show-answer.ts';
import { copyText } from './copy-text.ts';
import { makeConnection } from './connection.ts';
import { makeEditor } from './editor.ts';
import { make, makeButton, newId } from './elements.ts';
import { parseJson, valueOf } from './json/parse.ts';
import { makeHistory } from './history.ts';
import type { ExampleData, MethodData, Params } from './method-data.ts';
import { drawSamples } from './samples.ts';
import { send } from './send/send.ts';
import { fragmentOf, readFragment, type SharedCall } from './share.ts';
import { checkParams, loadValidators, type Violation } from './validators.ts';

/** Puts the console into its mount. Rejects when the method's data cannot be had. */
export async function openConsole(mount: HTMLElement): Promise<void> {
  const [method, config] = await Promise.all([
    fetchData(mount.dataset['source'] ?? ''),
    // Where no server says anything of networks, there are none to call.
    loadSiteConfig().catch(() => ({ networks: [], key: null })),
  ]);
  let isAttempted = false;
  let isReady = false;
  let calling: AbortController | null = null;

  const connection = makeConnection(config, method, () => changed());
  const editor = makeEditor(method, () => {
    examples.selectedIndex = 0;
    changed();
  });
  const history = makeHistory(method.name, (call) => {
    restore(call);
    mount.scrollIntoView();
  });
  const examples = makeExamples(method.examples, (example) => useExample(example));
  const problems = make('div', { class: 'ti-problems', role: 'alert' });
  const status = make('p', { class: 'visually-hidden', role: 'status' });
  const answer = make('div', { class: 'ti-answer' });
  const sendButton = makeButton('Send', () => void run(false), {
    class: 'ti-send',
    title: 'Ctrl or ⌘ with Enter',
    'aria-keyshortcuts': 'Control+Enter Meta+Enter',
  });
  const cancelButton = makeButton('Cancel', () => calling?.abort(), {
    class: 'tool',
    hidden: true,
  });
  const linkButton = makeButton('Copy link', () => shareLink(), { class: 'tool' });

  const call = (): SharedCall => ({
    params: editor.params(),
    network: connection.network(),
    transport: connection.transport(),
  });

  function changed(): void {
    if (!isReady) return;
    drawSamples({ method, params: editor.params(), network: connection.shown() });
    // Once something was refused, what is mended is seen at once.
    if (isAttempted) void validate();
  }

  async function validate(): Promise<readonly Violation[]> {
    const violations = await checkParams(method.name, editor.params());
    const placeless = editor.report(violations);
    problems.replaceChildren(...(violations.length === 0 ? [] : [refusal(violations, placeless)]));
    return violations;
  }

  function refusal(violations: readonly Violation[], placeless: readonly Violation[]): HTMLElement {
    const count = violations.length === 1 ? 'One thing is' : `${violations.length} things are`;
    return make(
      'div',
      { class: 'ti-error' },
      make('p', { class: 'ti-error-title' }, `Not sent: ${count} not as the document says`),
      ...placeless.map(({ message }) => make('p', {}, message)),
      makeButton('Send as it is', () => void run(true), { class: 'tool' }),
    );
  }

  async function run(asItIs: boolean): Promise<void> {
    if (calling !== null || isUnreadable('Not sent')) return;
    const { http, ws } = connection.addresses();
    const transport = connection.transport();
    if ((transport === 'http' ? http : ws) === null) {
      return tell('There is no address to send this to: choose a network, or type one.');
    }
    calling = new AbortController();
    const { signal } = calling;
    showSending(true);
    try {
      isAttempted = true;
      const violations = await validate();
      if (violations.length > 0 && !asItIs) {
        status.textContent = '';
        editor.focus(violations[0]!);
        return;
      }
      problems.replaceChildren();
      await complete({ http, ws, signal });
    } catch (error) {
      // The validators are loaded when they are needed.
      tell('A part of this page cannot be loaded: see whether you are online, and try again.');
      throw error;
    } finally {
      calling = null;
      showSending(false);
    }
  }

  function isUnreadable(what: string): boolean {
    const isRefused = editor.refuseText();
    if (isRefused) tell(`${what}: the JSON above cannot be read.`);
    return isRefused;
  }

  function tell(text: string): void {
    answer.replaceChildren(make('p', { class: 'ti-error', role: 'alert' }, text));
    answer.scrollIntoView({ block: 'nearest' });
  }

  function showSending(isSending: boolean): void {
    // What is hidden cannot keep the focus.
    if (!isSending && document.activeElement === cancelButton) sendButton.focus();
    sendButton.textContent = isSending ? 'Sending…' : 'Send';
    sendButton.setAttribute('aria-disabled', String(isSending));
    cancelButton.hidden = !isSending;
    answer.setAttribute('aria-busy', String(isSending));
    if (isSending) status.textContent = 'Sending';
  }

  async function complete({
    signal,
    ...addresses
  }: {
    http: string | null;
    ws: string | null;
    signal: AbortSignal;
  }): Promise<void> {
    const made = call();
    const isNotification = method.result === null;
    const envelope = {
      jsonrpc: '2.0',
      ...(isNotification ? {} : { id: 1 }),
      method: method.name,
      params: made.params,
    };
    const outcome = await send({
      ...addresses,
      transport: made.transport,
      body: jsonText(envelope),
      isNotification,
      signal,
    });
    const shown = await showOutcome(outcome, method);
    answer.replaceChildren(...shown.elements);
    answer.scrollIntoView({ block: 'nearest' });
    if (shown.violations.length > 0) editor.report(shown.violations);
    status.textContent = `${method.name}: ${shown.summary}`;
    history.add(made, shown.summary);
  }

  function useExample(example: ExampleData): void {
    show(example.params, example.network);
    examples.selectedIndex = method.examples.indexOf(example) + 1;
  }

  function show(params: Params, network: string | null): void {
    isReady = false;
    editor.write(params);
    connection.choose({ network });
    isReady = true;
    changed();
  }

  function restore({ params, network, transport }: SharedCall): void {
    show(params, network);
    connection.choose({ transport });
  }

  function shareLink(): void {
    if (isUnreadable('Not copied')) return;
    const fragment = fragmentOf(call());
    window.history.replaceState(null, '', fragment);
    void copyText(linkButton, location.href);
  }

  const cost =
    method.credits === null
      ? null
      : make('span', { class: 'ti-hint' }, `${method.credits.toLocaleString('en')} credits`);
  mount.replaceChildren(
    make('h2', { id: newId() }, 'Try it'),
    method.examples.length === 0 ? '' : examples.parentElement!,
    connection.element,
    editor.element,
    problems,
    make(
      'div',
      { class: 'ti-row ti-actions' },
      sendButton,
      cancelButton,
      linkButton,
      ...(cost === null ? [] : [cost]),
    ),
    status,
    answer,
    history.element,
  );
  mount.addEventListener('focusin', () => void loadValidators().catch(() => undefined), {
    once: true,
  });
  mount.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void run(false);
  });
  const first = method.examples.find(({ error }) => error === null) ?? method.examples[0];
  if (first === undefined) show(method.paramStructure === 'by-name' ? {} : [], null);
  else useExample(first);
  const takeFragment = (): void => {
    const shared = readFragment(location.hash);
    if (shared === null) return;
    restore(shared);
    mount.scrollIntoView();
  };
  takeFragment();
  window.addEventListener('hashchange', takeFragment);
}

function makeExamples(
  examples: readonly ExampleData[],
  onChoose: (example: ExampleData) => void,
): HTMLSelectElement {
  const select = make(
    'select',
    { id: newId() },
    make('option', {}, 'Values of your own'),
    ...examples.map(({ name, error }) =>
      make('option', {}, error === null ? name : `${name} (error)`),
    ),
  );
  select.addEventListener('change', () => {
    const example = examples[select.selectedIndex - 1];
    if (example !== undefined) onChoose(example);
  });
  make(
    'div',
    { class: 'ti-field ti-example' },
    make('label', { for: select.id, class: 'ti-label' }, 'Example'),
    select,
  );
  return select;
}

async function fetchData(source: string): Promise<MethodData> {
  const response = await fetch(source);
  if (!response.ok) throw new Error(`${source}: HTTP ${response.status}`);
  // Not response.json(): the examples' integers keep their digits.
  return valueOf(parseJson(await response.text())) as unknown as MethodData;
}
