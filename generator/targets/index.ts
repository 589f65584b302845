import { client } from './client/target.ts';
import { errors } from './errors/target.ts';
import { methods } from './methods/target.ts';
import { targetNames, type TargetName } from './names.ts';
import { python } from './python/target.ts';
import { server } from './server/target.ts';
import type { Target } from './target.ts';
import { types } from './types/target.ts';
import { validators } from './validators/target.ts';

const rows: Readonly<Record<TargetName, Target>> = {
  types,
  validators,
  methods,
  errors,
  server,
  client,
  python,
};

/** Everything that is written from a document. */
export const targets: readonly Target[] = targetNames.map((name) => rows[name]);
