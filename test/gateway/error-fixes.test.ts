import { expect, test } from 'vitest';
import { createErrors, gatewayReasons } from '../../src/errors/catalog.ts';
import { protocol } from '../../src/main/dependencies.ts';
import { document } from '../support/document.ts';

const errors = createErrors(protocol.errors);

test('every error of the gateway carries its fix, as the document describes it', () => {
  const rows = document['x-errors'].filter(({ origin }) => origin === 'gateway');
  expect(rows.map(({ reason }) => reason).sort()).toEqual(gatewayReasons.toSorted());
  for (const reason of gatewayReasons) {
    const row = rows.find((each) => each.reason === reason)!;
    expect(row.fix, reason).toMatch(/^[A-Z].{10,}[.}]$/);
    expect(errors.fail(reason).data, reason).toMatchObject({ reason, fix: row.fix });
    expect(row.data, reason).toMatchObject({ properties: { fix: { type: 'string' } } });
  }
});

test('a fix for the case at hand replaces that of the catalog', () => {
  const { data } = errors.fail('invalid_request', { data: { fix: 'Do this.' } });
  expect(data).toEqual({ reason: 'invalid_request', fix: 'Do this.' });
});
