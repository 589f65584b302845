import { errors } from './errors.ts';

/**
 * Checks the number of positional params as Agave's method macro does (jsonrpc-derive, trailing
 * options): absent params are none.
 */
export function takeParams(
  params: unknown,
  { least, most }: { least: number; most: number },
): readonly unknown[] {
  const list = params ?? [];
  if (most === 0) {
    if (!Array.isArray(list) || list.length > 0) throw errors.noParamsExpected();
    return list;
  }
  if (!Array.isArray(list)) throw errors.paramsNotArray();
  if (list.length < least) throw errors.tooFewParams(least);
  if (list.length > most) throw errors.tooManyParams({ least, most, got: list.length });
  return list;
}
