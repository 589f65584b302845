import { expect, it } from 'vitest';
import { errors as rows } from '../../generated/errors.ts';
import { withServerMessages } from '../../src/main/described-server.ts';
import { createErrors, gatewayReasons } from '../../src/errors/catalog.ts';

it('speaks of servers, not of nodes, in every error that a mock or a proxy may give', () => {
  const errors = createErrors(withServerMessages(rows));
  for (const reason of gatewayReasons) {
    const { message, code, status } = errors.fail(reason);
    expect(message, reason).not.toMatch(/\bnodes?\b/);
    const own = createErrors(rows).fail(reason);
    expect({ code, status }).toEqual({ code: own.code, status: own.status });
  }
  expect(errors.fail('upstream_timeout').message).toBe('timeout of the server');
});
