import { expect, it } from 'vitest';
import { errors as rows } from '../../generated/errors.ts';
import { withServerTexts } from '../../src/main/described-server.ts';
import { createErrors, gatewayReasons } from '../../src/errors/catalog.ts';

it('speaks of servers, not of nodes, in every error that a mock or a proxy may give', () => {
  const errors = createErrors(withServerTexts(rows));
  for (const reason of gatewayReasons) {
    const { message, code, status, data } = errors.fail(reason);
    expect(message, reason).not.toMatch(/\bnodes?\b/);
    expect((data as { readonly fix: string }).fix, reason).not.toMatch(/\bnodes?\b|network/);
    const own = createErrors(rows).fail(reason);
    expect({ code, status }).toEqual({ code: own.code, status: own.status });
  }
  expect(errors.fail('upstream_timeout').message).toBe('the server did not respond in time');
});
