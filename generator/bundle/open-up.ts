import type { Json, JsonObject } from '../../common/json/value.ts';

/** Makes a reference a schema that allows anything, with what stands beside it. */
export function openUp(reference: JsonObject): void {
  delete (reference as Record<string, Json>)['$ref'];
}
