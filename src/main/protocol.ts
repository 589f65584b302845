import { readFileSync } from 'node:fs';
import { errors } from '../../generated/errors.ts';
import { methods } from '../../generated/methods.ts';
import { service } from '../../generated/service.ts';
import { validateParams, validateResult } from '../../generated/validators.js';
import type { Protocol } from '../gateway/protocol.ts';

/** The service this repository describes. */
export const protocol: Protocol = {
  methods,
  validateParams,
  validateResult,
  errors,
  plans: service.plans,
  limits: service.limits,
  title: service.title,
  version: service.version,
  // As text: parsing it would round the integers beyond 2^53 that its examples hold.
  document: readFileSync(new URL('../../openrpc.json', import.meta.url), 'utf8'),
};
