/** Integers beyond 2^53 on pages, in their data and in their Markdown versions. */
import { expect, test } from 'vitest';
import { loadModel } from '../../../../generator/document.ts';
import { readerOf } from '../../support/document.ts';
import { modelAt, renderSite, textOf } from './support.ts';

test('integers beyond 2^53 keep their digits in our document', async () => {
  const site = await renderSite(await modelAt('openrpc.json'));
  for (const path of [
    'methods/getProgramAccounts.html',
    'methods/getProgramAccounts.json',
    'methods/getProgramAccounts.md',
    'openrpc.json',
  ]) {
    expect(site.get(path), path).toContain('18446744073709551615');
    expect(site.get(path), path).not.toContain('18446744073709552000');
  }
});

test('an integer beyond 2^53 keeps its digits as a parameter, result, limit and choice', async () => {
  const wide = '18446744073709551615';
  const text = `{
    "openrpc": "1.3.2",
    "info": { "title": "Wide", "version": "1.0.0" },
    "methods": [{
      "name": "wide",
      "params": [{ "name": "slot", "schema": {
        "type": "integer", "maximum": ${wide}, "default": ${wide}, "enum": [1, ${wide}], "examples": [${wide}]
      } }],
      "result": { "name": "last", "schema": { "const": ${wide} } },
      "examples": [{
        "name": "whole",
        "params": [{ "name": "slot", "value": ${wide} }],
        "result": { "name": "last", "value": ${wide} }
      }]
    }]
  }`;
  const site = await renderSite(await loadModel('wide.json', readerOf({ 'wide.json': text })));
  for (const path of ['methods/wide.html', 'methods/wide.json', 'methods/wide.md']) {
    const text = site.get(path)!;
    expect(text, path).not.toContain('1844674407370955200');
    expect(text, path).not.toContain('18446744073709552000');
  }
  const html = textOf(site.get('methods/wide.html')!);
  // Limit, default, choice, example and constant; request and answer; samples in languages with such integers.
  expect(html.split(wide).length - 1).toBeGreaterThan(9);
  expect(html).toContain(`"params": [\n    ${wide}\n  ]`);
  expect(html).toContain(`"result": ${wide}`);
  expect(site.get('methods/wide.json')).toContain(`"params":[${wide}],"result":${wide}`);
});
