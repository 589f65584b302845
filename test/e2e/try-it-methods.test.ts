/** The console of the documentation, method by method, against the devnet. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { renderSamples } from '../../common/samples/render-samples.ts';
import { startBrowser, type TestBrowser } from '../support/browser.ts';
import { sampleMethods } from '../support/client-names.ts';
import { document, everyExample, type Json, type JsonObject } from '../support/document.ts';
import { pressOn, setByKeyboard } from '../support/keyboard.ts';
import { startReading, type Reading } from '../support/reading.ts';
import { fullParams } from '../support/samples.ts';
import { empty, openTryIt, type TryItPage } from '../support/try-it-page.ts';

/** Testing all methods takes over a minute: `npm run test:docs`. */
const isThorough = process.env['SPECGATE_DOCS'] === 'all';
/** A method with nested parameters of every kind. */
const NESTED = 'getProgramAccounts';
const SAMPLE = new Set([NESTED, 'eth_getProof']);

const methods = document.methods.filter(({ name }) => isThorough || SAMPLE.has(name));

let browser: TestBrowser;
beforeAll(async () => {
  // The first page waits until the site is built.
  [browser] = await Promise.all([startBrowser(), fetch(inject('product').docs)]);
});
afterAll(() => browser.close());

function examplesOf(method: string) {
  return everyExample()
    .filter((each) => each.method.name === method)
    .map(({ example }) => example);
}

/** Values of every parameter of a method, nested ones included. */
function everyParam(name: string): readonly Json[] {
  const [first, ...rest] = fullParams[name]!;
  if (name !== 'eth_estimateGas') return fullParams[name]!;
  const hash = `0x01${'ab'.repeat(31)}`;
  const late = {
    maxFeePerBlobGas: '0x1',
    blobVersionedHashes: [hash],
    blobs: ['0x12'],
    authorizationList: [
      {
        chainId: '0x1',
        address: `0x${'cd'.repeat(20)}`,
        nonce: '0x0',
        yParity: '0x1',
        r: '0x1',
        s: '0x2',
      },
    ],
  };
  return [{ ...(first as JsonObject), ...late }, ...rest];
}

describe.each(methods)('a reader who tries $name', (method) => {
  const { name, 'x-credits': credits } = method;
  const [first, second] = examplesOf(name).filter((each) => each['x-error'] === undefined);
  let reading: Reading;
  let form: TryItPage;
  beforeAll(async () => {
    reading = await startReading(browser.browser);
    form = await openTryIt(reading.context, { site: inject('product').docs, method: name });
  });
  afterAll(() => reading.end());

  test('gets the result of the example over both transports, as documented, with its price', async () => {
    for (const transport of ['HTTP', 'WebSocket'] as const) {
      await form.chooseTransport(transport);
      const facts = await form.send();
      expect(facts).toContain('OK');
      expect(facts).toContain(transport === 'HTTP' ? 'HTTP 200' : 'WebSocket');
      expect(facts).toContain(`${credits.toLocaleString('en')} credits`);
      expect(facts).toMatch(/\d ms/);
      expect(facts).toContain('matches the document');
      const answer = JSON.parse(await form.raw()) as { result: unknown };
      expect(answer.result).toEqual(first!.result?.value);
    }
  });

  test('has samples that follow the form', async () => {
    await form.chooseExample(second!.name);
    const network = second!['x-network']! as 'evm' | 'solana' | 'archive';
    const wanted = renderSamples({
      method: sampleMethods.get(name)!,
      params: second!.params.map(({ value }) => value),
      network: { name: network, ...inject('product').networks[network] },
    });
    for (const { id, code } of wanted) {
      const shown = form.page.locator(`.samples [data-tab="${id}"] pre`);
      expect(await shown.textContent(), id).toBe(code);
    }
  });

  const byKeyboard = isThorough || name === NESTED;
  test.runIf(byKeyboard)(
    'sets every parameter by keyboard through the form alone, and runs it',
    async () => {
      const { page, root } = form;
      await page.evaluate("location.hash = 'try-it=&params=%5B%5D'");
      const scope = root.getByRole('tabpanel', { name: 'Form', exact: true });
      const wanted = everyParam(name);
      for (const [index, value] of wanted.entries()) {
        const { $ref, name: own } = method.params[index] as { name?: string; $ref?: string };
        const shared = document.components.contentDescriptors[$ref?.split('/').at(-1) ?? ''];
        const label = own ?? (shared as { name: string }).name;
        await setByKeyboard({ page, scope, label: null }, label, value);
      }
      expect(await form.params()).toEqual(wanted);
      await root.locator('.ti-answer').evaluate(empty);
      await pressOn(page, form.button('Send'));
      await root.locator('.ti-answer .badge').first().waitFor();
      expect(await root.getByText('Not sent').count()).toBe(0);
    },
  );
});
