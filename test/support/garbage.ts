import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Collects garbage and returns whether the object is still in memory. */
export function isInMemory(object: WeakRef<object>): boolean {
  collect();
  return object.deref() !== undefined;
}
