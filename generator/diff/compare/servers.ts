import { isObject, type Json, type JsonObject } from '../../../common/json/value.ts';
import { textAt } from '../../model/member.ts';
import { objectAt } from '../../schema/document-schemas.ts';
import { reportAt, shown, type Change, type Report } from '../change.ts';
import { matchByKey, type Both, type Context } from './context.ts';
import { isSame } from '../../containment/canonical.ts';

/** Changes of the servers of the document and of its methods. */
export function compareServers({ old, new: fresh }: Context): readonly Change[] {
  const { kept } = matchByKey(old.methods, fresh.methods, ({ name }) => name);
  return [
    ...compareLists({ old: old.servers, new: fresh.servers }, { old: '', new: '', methods: [] }),
    ...kept.flatMap((pair) =>
      compareLists(
        { old: pair.old.servers, new: pair.new.servers },
        { old: pair.old.pointer, new: pair.new.pointer, methods: [pair.new.name] },
      ),
    ),
  ];
}

interface Holder extends Both<string> {
  readonly methods: readonly string[];
}

function compareLists(lists: Both<readonly JsonObject[]>, holder: Holder): readonly Change[] {
  const { old, new: fresh, methods } = holder;
  const reportServer = (server: JsonObject) => {
    const name = textAt(server, 'name') || textAt(server, 'url');
    const subject = [...methods, `server ${name}`].join(', ');
    return reportAt({ subject, old: `${old}/servers`, new: `${fresh}/servers`, methods });
  };
  const pairs = lists.old.flatMap((server): readonly (readonly [JsonObject, JsonObject])[] => {
    const same = lists.new.find(
      (each) => each['url'] === server['url'] && each['name'] === server['name'],
    );
    const key = textAt(server, 'name') === '' ? 'url' : 'name';
    const other = same ?? lists.new.find((each) => each[key] === server[key]);
    return other === undefined ? [] : [[server, other]];
  });
  const isUnmatched = (server: JsonObject) => !pairs.some((pair) => pair.includes(server));
  return [
    ...lists.old.filter(isUnmatched).map((server) => {
      const what = `${urlBeside(server)}was removed`;
      return reportServer(server)('server-removed', what, server);
    }),
    ...lists.new.filter(isUnmatched).map((server) => {
      const what = `${urlBeside(server)}was added`;
      return reportServer(server)('server-added', what, undefined, server);
    }),
    ...pairs.flatMap(([was, is]) => compareServer({ old: was, new: is }, reportServer(is))),
  ];
}

/** The URL of a server, unless its subject is the URL. */
function urlBeside(server: JsonObject): string {
  return textAt(server, 'name') === '' ? '' : `(${textAt(server, 'url')}) `;
}

function compareServer({ old, new: fresh }: Both<JsonObject>, report: Report): readonly Change[] {
  const changes: Change[] = [];
  const [before, after] = [textAt(old, 'url'), textAt(fresh, 'url')];
  if (before !== after)
    changes.push(
      report('server-url-changed', `has the URL ${after} instead of ${before}`, before, after),
    );
  const docs = (server: JsonObject) =>
    ['summary', 'description', 'name'].map((member) => server[member] ?? '');
  if (!isSame(docs(old), docs(fresh)))
    changes.push(report('server-docs-changed', 'is documented differently'));
  const [was, is] = [objectAt(old, 'variables'), objectAt(fresh, 'variables')];
  for (const [name, variable] of Object.entries(was)) {
    const other = Object.hasOwn(is, name) ? is[name] : undefined;
    if (isObject(variable) && isObject(other))
      changes.push(...compareVariable(name, { old: variable, new: other }, report));
  }
  return changes;
}

function compareVariable(
  name: string,
  { old, new: fresh }: Both<JsonObject>,
  report: Report,
): readonly Change[] {
  const changes: Change[] = [];
  const [was, is] = [old['enum'], fresh['enum']];
  const valuesOf = (values: Json | undefined) =>
    values === undefined ? 'anything' : shown(values);
  const what = `allows ${valuesOf(is)} for {${name}} instead of ${valuesOf(was)}`;
  if (Array.isArray(is) && (was === undefined || hasMore(was, is)))
    changes.push(report('server-variable-narrowed', what, was, is));
  else if (Array.isArray(was) && (is === undefined || hasMore(is, was)))
    changes.push(report('server-variable-widened', what, was, is));
  const [before, after] = [old['default'], fresh['default']];
  if (before !== after) {
    const what = `defaults to ${shown(after)} instead of ${shown(before)} for {${name}}`;
    changes.push(report('server-variable-default-changed', what, before, after));
  }
  return changes;
}

function hasMore(list: Json, other: readonly Json[]): boolean {
  return Array.isArray(list) && list.some((each: Json) => !other.includes(each));
}
