import { describe, expect, test } from 'vitest';
import { document, everyExample, paramsOf, type Descriptor } from '../support/document.ts';
import { compilePointer } from '../support/schemas.ts';

describe('the document is consistent', () => {
  test('each method has a summary, a description, tags, documentation, errors and at least two examples', () => {
    for (const method of document.methods) {
      expect(method.summary.length, method.name).toBeGreaterThan(10);
      expect(method.description.length, method.name).toBeGreaterThan(40);
      expect(method.tags.length, method.name).toBeGreaterThan(0);
      expect(method.externalDocs.url, method.name).toMatch(/^https:/);
      expect(method.errors.length, method.name).toBeGreaterThan(5);
      expect(method.examples.length, method.name).toBeGreaterThanOrEqual(2);
      expect(
        method.examples.some(
          (example) => example.result !== undefined && example.result.value !== null,
        ),
        `${method.name} shows a hit`,
      ).toBe(true);
      const other = (example: (typeof method.examples)[number]) =>
        example['x-error'] !== undefined ||
        example.result?.value === null ||
        (Array.isArray(example.result?.value) && example.result.value.length === 0);
      expect(method.examples.some(other), `${method.name} shows a null or an error`).toBe(true);
    }
  });

  test('each row of x-errors has its error component, of the same code, and each component a row', () => {
    const keys = document['x-errors'].map((row) => `${row.code} ${row.reason}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(new Set(document['x-errors'].map(({ name }) => name)).size).toBe(keys.length);
    for (const row of document['x-errors'])
      expect(document.components.errors[row.error]?.code, row.name).toBe(row.code);
    const used = new Set(document['x-errors'].map(({ error }) => error));
    expect(Object.keys(document.components.errors).filter((name) => !used.has(name))).toEqual([]);
  });

  test('the decisions are D1 to D30, each naming only methods of the document', () => {
    expect(document['x-decisions'].map(({ id }) => id)).toEqual(
      Array.from({ length: 30 }, (_, index) => `D${index + 1}`),
    );
    const names = new Set(document.methods.map(({ name }) => name));
    for (const decision of document['x-decisions'])
      expect(
        decision.methods.filter((name) => !names.has(name)),
        decision.id,
      ).toEqual([]);
  });

  test('only the team and custom plans qualify for forwarding', () => {
    const qualifying = document['x-plans'].filter(({ forwarding }) => forwarding);
    expect(qualifying.map(({ name }) => name)).toEqual(['team', 'custom']);
    expect(
      document['x-plans'].map(({ name, creditsPerDay, callsPerSecond }) => [
        name,
        creditsPerDay,
        callsPerSecond,
      ]),
    ).toEqual([
      ['free', 3_000_000, 25],
      ['developer', 15_000_000, 100],
      ['team', 75_000_000, 500],
      ['custom', null, null],
    ]);
  });

  test('the version is a semantic version 3.x', () => {
    expect(document.info.version).toMatch(/^3\.\d+\.\d+$/);
  });

  test.each(
    everyExample().map(({ method, example }) => ({
      method,
      example,
      label: `${method.name}, ${example.name}`,
    })),
  )('$label: the values break no schema', ({ method, example }) => {
    const at = document.methods.indexOf(method);
    const params = paramsOf(method);
    const expectsInvalidParams = example['x-error']?.code === -32602;
    const verdicts = example.params.map(({ value }, index) => {
      expect(params[index], `${example.name} has more parameters than the method`).toBeDefined();
      const reference =
        (method.params[index] as { $ref?: string }).$ref ?? `#/methods/${at}/params/${index}`;
      return compilePointer(`${reference.slice(1)}/schema`)(value);
    });
    if (expectsInvalidParams) expect(verdicts, example.name).toContain(false);
    else expect(verdicts.every(Boolean), example.name).toBe(true);
    expect(example.params.map(({ name }) => name)).toEqual(
      params.slice(0, example.params.length).map((param: Descriptor) => param.name),
    );
    if (example.result !== undefined) {
      const validate = compilePointer(`/methods/${at}/result/schema`);
      expect(
        validate(example.result.value),
        `${example.name}: ${JSON.stringify(validate.errors)}`,
      ).toBe(true);
    }
    expect(example.result === undefined, `${example.name} has a result or an error`).toBe(
      example['x-error'] !== undefined,
    );
  });
});
