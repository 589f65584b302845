import { isObject, type Json, type JsonObject } from '../../../common/json/value.ts';
import { textAt } from '../../model/member.ts';
import type { MethodModel } from '../../model/model.ts';
import { shown, type Change } from '../change.ts';
import type { Context } from './context.ts';
import { isSame } from './equal.ts';

/** Changes of the servers of the document, and of those that methods name for themselves. */
export function compareServers({ old, new: fresh }: Context): readonly Change[] {
  const byName = new Map(fresh.methods.map((method) => [method.name, method]));
  return [
    ...compareLists({ old: old.servers, new: fresh.servers }, { old: '', new: '', methods: [] }),
    ...old.methods.flatMap((method): readonly Change[] => {
      const other: MethodModel | undefined = byName.get(method.name);
      if (other === undefined) return [];
      const where = { old: method.pointer, new: other.pointer, methods: [other.name] };
      return compareLists({ old: method.servers, new: other.servers }, where);
    }),
  ];
}

interface Lists {
  readonly old: readonly JsonObject[];
  readonly new: readonly JsonObject[];
}

interface Where {
  readonly old: string;
  readonly new: string;
  readonly methods: readonly string[];
}

function compareLists(lists: Lists, where: Where): readonly Change[] {
  const toChange = (
    server: JsonObject,
    says: Pick<Change, 'kind' | 'what' | 'before' | 'after'>,
  ): Change => ({
    ...says,
    subject: `${where.methods.map((name) => `${name}, `).join('')}server ${textAt(server, 'name') || textAt(server, 'url')}`,
    old: `${where.old}/servers`,
    new: `${where.new}/servers`,
    methods: where.methods,
  });
  const pairs = lists.old.flatMap((server): readonly (readonly [JsonObject, JsonObject])[] => {
    const same = lists.new.find(
      (each) => each['url'] === server['url'] && each['name'] === server['name'],
    );
    const other = same ?? lists.new.find((each) => isAlike(each, server));
    return other === undefined ? [] : [[server, other]];
  });
  const isKnown = (server: JsonObject) => pairs.some((pair) => pair.includes(server));
  return [
    ...lists.old
      .filter((server) => !isKnown(server))
      .map((server) =>
        toChange(server, {
          kind: 'server-removed',
          what: `(${textAt(server, 'url')}) is gone`,
          before: server,
        }),
      ),
    ...lists.new
      .filter((server) => !isKnown(server))
      .map((server) =>
        toChange(server, {
          kind: 'server-added',
          what: `(${textAt(server, 'url')}) was added`,
          after: server,
        }),
      ),
    ...pairs.flatMap(([old, fresh]) => compareServer(old, fresh, (says) => toChange(fresh, says))),
  ];
}

function isAlike(a: JsonObject, b: JsonObject): boolean {
  const hasName = textAt(a, 'name') !== '';
  return hasName ? a['name'] === b['name'] : a['url'] === b['url'];
}

type ToChange = (says: Pick<Change, 'kind' | 'what' | 'before' | 'after'>) => Change;

function compareServer(old: JsonObject, fresh: JsonObject, toChange: ToChange): readonly Change[] {
  const changes: Change[] = [];
  const [before, after] = [textAt(old, 'url'), textAt(fresh, 'url')];
  if (before !== after) {
    changes.push(
      toChange({
        kind: 'server-url-changed',
        what: `is at ${after} instead of ${before}`,
        before,
        after,
      }),
    );
  }
  const docs = (server: JsonObject) => [
    server['summary'] ?? '',
    server['description'] ?? '',
    server['name'] ?? '',
  ];
  if (!isSame(docs(old), docs(fresh))) {
    changes.push(toChange({ kind: 'server-docs-changed', what: 'is described otherwise' }));
  }
  const is = variablesOf(fresh);
  for (const [name, variable] of variablesOf(old)) {
    const other = is.get(name);
    if (other !== undefined) changes.push(...compareVariable(name, { variable, other }, toChange));
  }
  return changes;
}

function variablesOf({ variables }: JsonObject): ReadonlyMap<string, JsonObject> {
  return new Map(isObject(variables) ? (Object.entries(variables) as [string, JsonObject][]) : []);
}

function compareVariable(
  name: string,
  { variable, other }: { readonly variable: JsonObject; readonly other: JsonObject },
  toChange: ToChange,
): readonly Change[] {
  const changes: Change[] = [];
  const [was, is] = [variable['enum'], other['enum']];
  const lost = Array.isArray(is) ? missing(was, is) : [];
  const gained = Array.isArray(was) ? missing(is, was) : [];
  if (lost.length > 0 || (was === undefined && Array.isArray(is))) {
    const what = `allows ${shown(is)} for {${name}} instead of ${was === undefined ? 'anything' : shown(was)}`;
    changes.push(toChange({ kind: 'server-variable-narrowed', what, before: was, after: is }));
  } else if (gained.length > 0 || (Array.isArray(was) && is === undefined)) {
    const what = `allows ${is === undefined ? 'anything' : shown(is)} for {${name}} instead of ${shown(was)}`;
    changes.push(toChange({ kind: 'server-variable-widened', what, before: was, after: is }));
  }
  if (variable['default'] !== other['default']) {
    const [before, after] = [variable['default'], other['default']];
    const what = `has ${shown(after)} for {${name}} instead of ${shown(before)} where it is not set`;
    changes.push(toChange({ kind: 'server-variable-default-changed', what, before, after }));
  }
  return changes;
}

/** What `list` has that `other` has not. */
function missing(list: Json | undefined, other: readonly Json[]): readonly Json[] {
  return Array.isArray(list)
    ? (list as readonly Json[]).filter((each) => !other.includes(each))
    : [];
}
