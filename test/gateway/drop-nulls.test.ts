import { describe, expect, it } from 'vitest';
import { dropNulls } from '../../src/gateway/drop-nulls.ts';
import type { MethodEntry } from '../../src/gateway/protocol.ts';
import { protocol } from './support/protocol.ts';

const entry: MethodEntry = {
  ...(protocol.methods['eth_estimate'] as MethodEntry),
  nullMembers: [
    { pointer: '/0', members: ['gas', 'list'] },
    { pointer: '/0/list/*', members: ['a'] },
  ],
};
const drop = (text: string): string =>
  dropNulls(entry, JSON.parse(text) as unknown, Buffer.from(text)).toString();

describe('nulls that mean "absent"', () => {
  it('are dropped from marked objects, inner ones included; other bytes stay', () => {
    expect(drop('[{"gas":null,"to": "0x1"} ]')).toBe('[{"to":"0x1"} ]');
    expect(drop('[{"list":[{"a":null,"n":18446744073709551615},{"a":1}],"gas":null}]')).toBe(
      '[{"list":[{"n":18446744073709551615},{"a":1}]}]',
    );
    expect(drop('[{"gas":null}]')).toBe('[{}]');
  });

  it('are dropped as marked params at the end, and nowhere else', () => {
    expect(drop('[{"to":"0x1"}, null ]')).toBe('[{"to":"0x1"} ]');
    expect(drop('[null]')).toBe('[null]');
    expect(drop('[{"to":null,"list":[null]}]')).toBe('[{"to":null,"list":[null]}]');
    expect(drop('[{"to":{"gas":null}}]')).toBe('[{"to":{"gas":null}}]');
  });

  it('stay in an object with duplicate names, which is refused', () => {
    const text = '[{"gas":"0x1","gas":null}]';
    expect(drop(text)).toBe(text);
  });

  it('are found in many elements in one pass', () => {
    const list = Array.from({ length: 20_000 }, () => '{"a":null}').join(',');
    expect(drop(`[{"list":[${list}]}]`)).toBe(`[{"list":[${list.replaceAll('"a":null', '')}]}]`);
  });
});
