import { errors } from '../../generated/errors.ts';
import { methods } from '../../generated/methods.ts';
import { service } from '../../generated/service.ts';
import { validateParams } from '../../generated/validators.js';
import document from '../../openrpc.json' with { type: 'json' };
import type { Protocol } from '../gateway/protocol.ts';

/** The service this repository describes. */
export const protocol: Protocol = {
  methods,
  validateParams,
  errors,
  plans: service.plans,
  limits: service.limits,
  document,
};
