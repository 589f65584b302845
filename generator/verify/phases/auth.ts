import { callText, messageProbe, type Target, type TransportName } from '../message.ts';
import type { Phase } from '../phase.ts';
import type { Session } from '../session.ts';
import { findBase } from './protocol.ts';

/** Calls with a missing, malformed and unknown API key, in the URL or in `Authorization`. */
export const auth: Phase = {
  id: 'auth',
  title: 'calls with a missing, malformed or unknown API key',
  async run(session) {
    const base = findBase(session);
    if (base === undefined) return;
    for (const transport of session.transports) {
      for (const [title, target] of withoutKey(session, transport)) {
        const id = session.nextId();
        const responses = [{ id, outcome: { kind: 'unauthorized' } as const }];
        const body = callText(base.method.name, base.params, id);
        await session.check({ ...messageProbe(title, body, responses), target }, transport);
      }
    }
  },
};

function* withoutKey(session: Session, transport: TransportName): Generator<[string, Target]> {
  const { url, headers = {} } = session.targets[transport]!;
  const index = keySegment(session, url);
  if (index !== undefined) {
    for (const [title, change] of CHANGES) {
      const changed = new URL(url);
      const segments = changed.pathname.split('/');
      segments.splice(index, 1, ...change(segments[index]!));
      changed.pathname = segments.join('/');
      yield [`${title} key in the URL`, { url: changed.href }];
    }
  }
  const name = Object.keys(headers).find((each) => each.toLowerCase() === 'authorization');
  if (name === undefined) return;
  const [scheme = '', key] = headers[name]!.split(' ', 2);
  for (const [title, change] of CHANGES) {
    const value = change(key ?? scheme).map((each) =>
      key === undefined ? each : `${scheme} ${each}`,
    );
    yield [`${title} key in ${name}`, { url, headers: { [name]: value[0] ?? '' } }];
  }
}

/** The replacements of a key: nothing, or another key. */
const CHANGES: readonly (readonly [string, (key: string) => readonly string[]])[] = [
  ['a missing', () => []],
  ['a malformed', () => ['%20%7B%7D']],
  ['an unknown', (key) => [`${[...key].toReversed().join('')}0`]],
];

/**
 * Returns the index of the path segment of a URL that holds the key, according to the document's
 * servers.
 */
function keySegment({ contract }: Session, url: string): number | undefined {
  const { keyVariable, model } = contract;
  const segments = new URL(url).pathname.split('/');
  for (const server of keyVariable === null ? [] : model.servers) {
    const path = String(server['url'])
      .replace(/^\w+:\/\/[^/]*/, '')
      .split('/');
    const isSame =
      path.length === segments.length &&
      path.every((each, index) => each.startsWith('{') || each === segments[index]);
    if (isSame && path.includes(`{${keyVariable}}`)) return path.indexOf(`{${keyVariable}}`);
  }
  return undefined;
}
