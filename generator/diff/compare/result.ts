import type { Change } from '../change.ts';
import { compareAnnotations } from '../schema/annotations.ts';
import { ofMethod, type Context, type MethodPair } from './context.ts';

/** Changes of what a method answers. */
export function compareResult(context: Context, pair: MethodPair): readonly Change[] {
  const [old, fresh] = [pair.old.result, pair.new.result];
  if (old === null && fresh === null) return [];
  if (fresh === null) {
    const change = { kind: 'result-removed', what: 'is no longer answered' };
    return [ofMethod(pair, fresh === null ? '' : 'result', { ...change, before: old!.name })];
  }
  if (old === null) {
    const change = { kind: 'result-added', what: 'is answered now; it was a notification' };
    return [ofMethod(pair, 'result', { ...change, after: fresh.name })];
  }
  const places = {
    old: { schema: old.schema, pointer: `${old.pointer}/schema` },
    new: { schema: fresh.schema, pointer: `${fresh.pointer}/schema` },
  };
  context.schemas.compare(
    { old: { side: 'old', ...places.old }, new: { side: 'new', ...places.new } },
    'response',
    `${pair.new.name}\nresult`,
  );
  const isRenamed = old.name !== fresh.name;
  const what = `calls its result "${fresh.name}" instead of "${old.name}"`;
  const values = { before: old.name, after: fresh.name };
  return [
    ...(isRenamed ? [ofMethod(pair, 'result', { kind: 'result-renamed', what, ...values })] : []),
    ...compareAnnotations(context, {
      ...places,
      subject: `${pair.new.name}, result`,
      methods: [pair.new.name],
      isParam: false,
    }),
  ];
}
