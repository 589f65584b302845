/** Names of the generated clients, and the samples of their calls. */
import { readFileSync } from 'node:fs';
import openrpc from '../../openrpc.json' with { type: 'json' };
import type { JsonObject } from '../../common/json/value.ts';
import { buildModel } from '../../generator/model/build.ts';
import { createSampleMethod } from '../../generator/targets/docs/site.ts';
import { loadTargets } from '../../generator/targets/index.ts';

/** Name of the generated client's package. */
export const { name: clientPackage } = JSON.parse(
  readFileSync(new URL('../../generated/client/package.json', import.meta.url), 'utf8'),
) as { name: string };

const model = buildModel(structuredClone(openrpc) as unknown as JsonObject);
const sampleMethod = createSampleMethod(model, await loadTargets());

/** The facts that samples need, by method. */
export const sampleMethods = new Map(
  model.methods.map((method) => [method.name, sampleMethod(method)]),
);
