import { jsonText } from '../../../common/samples/json-text.ts';
import { copyText } from '../copy.ts';
import { make, makeButton, newId } from '../elements.ts';
import { loadSiteConfig, siteUrl, type SiteConfig } from '../site-files.ts';
import { makeAnswerPanel, type AnswerPanel } from './answer-panel.ts';
import { makeCard } from './answer/error-card.ts';
import { creditsText, showOutcome } from './answer/show-answer.ts';
import { makeConnection, type Connection } from './connection.ts';
import { makeEditor, type Editor } from './editor.ts';
import { makeExamples, type Examples } from './examples.ts';
import { makeHistory, type History } from './history.ts';
import { parseJson, valueOf } from './json.ts';
import type { Components, ExampleData, MethodData, Params } from './method-data.ts';
import { drawSamples } from './samples.ts';
import { send } from './send/send.ts';
import { fragmentOf, readFragment, type SharedCall } from './share.ts';
import { checkParams, loadValidators, type Violation } from './validators.ts';

/** Opens the console in its mount. Rejects when the data of the method cannot be loaded. */
export async function openConsole(mount: HTMLElement): Promise<void> {
  const [{ method, components }, config] = await Promise.all([
    loadMethod(mount.dataset['source'] ?? ''),
    // Without a server's configuration there are no networks to call.
    loadSiteConfig().catch((): SiteConfig => ({ networks: [], key: null })),
  ]);
  const console = new Console(mount, { method, components, config });
  console.start();
}

interface Loaded {
  readonly method: MethodData;
  readonly components: Components;
}

async function loadMethod(source: string): Promise<Loaded> {
  const method = (await fetchData(source)) as unknown as MethodData;
  const files = await Promise.all(method.schemas.map((path) => fetchData(siteUrl(path))));
  return { method, components: Object.fromEntries(files.flatMap(Object.entries)) as Components };
}

async function fetchData(source: string): Promise<object> {
  const response = await fetch(source);
  if (!response.ok) throw new Error(`${source}: HTTP ${response.status}`);
  // Not response.json(), which would round large integers of examples.
  return valueOf(parseJson(await response.text())) as object;
}

class Console {
  readonly #mount: HTMLElement;
  readonly #method: MethodData;
  readonly #connection: Connection;
  readonly #editor: Editor;
  readonly #examples: Examples;
  readonly #history: History;
  readonly #answer: AnswerPanel;
  readonly #violations = make('div', { class: 'ti-problems', role: 'alert' });
  /** Whether params were sent or rejected, after which they are checked on every change. */
  #isAttempted = false;
  /** Whether changes come from the reader, not from an example or link. */
  #isReady = false;
  #calling: AbortController | null = null;

  constructor(
    mount: HTMLElement,
    { method, components, config }: Loaded & { readonly config: SiteConfig },
  ) {
    this.#mount = mount;
    this.#method = method;
    this.#connection = makeConnection(config, method, () => this.#onChange());
    this.#editor = makeEditor({ method, components }, () => {
      this.#examples.select(null);
      this.#onChange();
    });
    this.#examples = makeExamples(method.examples, (example) => this.#showExample(example));
    this.#history = makeHistory(method.name, (call) => this.#restore(call));
    this.#answer = makeAnswerPanel(
      () => void this.#run(),
      () => this.#calling?.abort(),
    );
  }

  start(): void {
    this.#mount.replaceChildren(...this.#elements());
    this.#mount.addEventListener('focusin', () => void loadValidators().catch(() => undefined), {
      once: true,
    });
    this.#mount.addEventListener('keydown', ({ key, ctrlKey, metaKey }) => {
      if (key === 'Enter' && (ctrlKey || metaKey)) void this.#run();
    });
    const { examples, paramStructure } = this.#method;
    const first = examples.find(({ error }) => error === null) ?? examples[0];
    if (first === undefined) this.#show(paramStructure === 'by-name' ? {} : [], null);
    else this.#showExample(first);
    const readLink = (): void => {
      const call = readFragment(location.hash);
      if (call !== null) this.#restore(call);
    };
    readLink();
    window.addEventListener('hashchange', readLink);
  }

  #elements(): readonly (Node | string)[] {
    const { credits } = this.#method;
    const { sendButton, cancelButton, elements } = this.#answer;
    const linkButton = makeButton('Copy link', () => this.#copyLink(linkButton), { class: 'tool' });
    const actions = make(
      'div',
      { class: 'ti-row ti-actions' },
      sendButton,
      cancelButton,
      linkButton,
      credits === null ? null : make('span', { class: 'ti-hint' }, creditsText(credits)),
    );
    return [
      make('h2', { id: newId() }, 'Try it'),
      this.#examples.element ?? '',
      this.#connection.element,
      this.#editor.element,
      this.#violations,
      actions,
      ...elements,
      this.#history.element,
    ];
  }

  #call(): SharedCall {
    return {
      params: this.#editor.params(),
      network: this.#connection.network(),
      transport: this.#connection.transport(),
    };
  }

  #onChange(): void {
    if (!this.#isReady) return;
    drawSamples({
      method: this.#method,
      params: this.#editor.params(),
      network: this.#connection.shown(),
    });
    if (this.#isAttempted) void this.#validate();
  }

  async #validate(): Promise<readonly Violation[]> {
    const violations = await checkParams(this.#method.name, this.#editor.params());
    const withoutField = this.#editor.report(violations);
    if (violations.length === 0) this.#violations.replaceChildren();
    else this.#violations.replaceChildren(this.#makeRefusal(violations.length, withoutField));
    return violations;
  }

  #makeRefusal(count: number, withoutField: readonly Violation[]): HTMLElement {
    const errors = count === 1 ? '1 error' : `${count} errors`;
    const force = (): void => void this.#run({ isForced: true });
    const messages = withoutField.map(({ message }) => make('p', {}, message));
    const title = `Not sent: ${errors} in the params`;
    return makeCard([title], [...messages, makeButton('Send anyway', force, { class: 'tool' })]);
  }

  async #run({ isForced = false } = {}): Promise<void> {
    if (this.#calling !== null || this.#isTextInvalid('Not sent')) return;
    const { http, ws } = this.#connection.addresses();
    if ((this.#connection.transport() === 'http' ? http : ws) === null) {
      return this.#answer.showError('No address: choose a network or enter one.');
    }
    this.#calling = new AbortController();
    this.#answer.showSending(true);
    try {
      this.#isAttempted = true;
      const violations = await this.#validate();
      if (violations.length > 0 && !isForced) {
        this.#answer.clearStatus();
        this.#editor.focus(violations[0]!);
        return;
      }
      this.#violations.replaceChildren();
      await this.#send({ http, ws, signal: this.#calling.signal });
    } catch (error) {
      // The validators are loaded when they are first needed.
      this.#answer.showError(
        'Part of this page could not be loaded. Check your connection and try again.',
      );
      throw error;
    } finally {
      this.#calling = null;
      this.#answer.showSending(false);
    }
  }

  #isTextInvalid(consequence: string): boolean {
    const isInvalid = this.#editor.refuseText();
    if (isInvalid) this.#answer.showError(`${consequence}: the JSON above is invalid.`);
    return isInvalid;
  }

  async #send(target: {
    readonly http: string | null;
    readonly ws: string | null;
    readonly signal: AbortSignal;
  }): Promise<void> {
    const { name, isNotification } = this.#method;
    const call = this.#call();
    const id = isNotification ? {} : { id: 1 };
    const outcome = await send({
      ...target,
      transport: call.transport,
      body: jsonText({ jsonrpc: '2.0', ...id, method: name, params: call.params }),
      isNotification,
    });
    const shown = await showOutcome(outcome, this.#method);
    this.#answer.showAnswer(name, shown);
    if (shown.violations.length > 0) this.#editor.report(shown.violations);
    this.#history.add(call, shown.summary);
  }

  #showExample(example: ExampleData): void {
    this.#show(example.params, example.network);
    this.#examples.select(example);
  }

  #show(params: Params, network: string | null): void {
    this.#isReady = false;
    this.#editor.write(params);
    this.#connection.choose({ network });
    this.#isReady = true;
    this.#onChange();
  }

  #restore({ params, network, transport }: SharedCall): void {
    this.#show(params, network);
    this.#connection.choose({ transport });
    this.#mount.scrollIntoView();
  }

  #copyLink(button: HTMLButtonElement): void {
    if (this.#isTextInvalid('Not copied')) return;
    window.history.replaceState(null, '', fragmentOf(this.#call()));
    void copyText(button, () => location.href);
  }
}
