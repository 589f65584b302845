import { describe, expect, it } from 'vitest';
import type { MethodEntry, Protocol } from '../../src/gateway/protocol.ts';
import { protocol } from '../gateway/support/protocol.ts';
import { call, request, serveNetwork } from './support.ts';

/** The protocol of the tests with other rows for some methods. */
function retiring(rows: Readonly<Record<string, Partial<MethodEntry>>>): Protocol {
  const methods = Object.fromEntries(
    Object.entries(protocol.methods).map(([name, entry]) => [name, { ...entry, ...rows[name] }]),
  );
  return { ...protocol, methods };
}

async function headersOf(
  rows: Readonly<Record<string, Partial<MethodEntry>>>,
  body = call(),
): Promise<Record<string, string | null>> {
  const { httpUrl } = await serveNetwork({ protocol: retiring(rows) });
  const { headers } = await request(`${httpUrl}/v3/demo`, { body });
  const exposed = headers.get('access-control-expose-headers');
  for (const name of ['deprecation', 'sunset', 'link']) expect(exposed).toContain(name);
  const [deprecation, sunset, link] = ['deprecation', 'sunset', 'link'].map((name) =>
    headers.get(name),
  );
  return { deprecation: deprecation!, sunset: sunset!, link: link! };
}

const docs = 'https://docs.example/a';

describe('the answer to a call of a method', () => {
  it('without a planned removal has no retirement headers', async () => {
    expect(await headersOf({ eth_getBlock: { docs } })).toEqual({
      deprecation: null,
      sunset: null,
      link: null,
    });
  });

  it('that is deprecated has both dates and a link to the docs', async () => {
    const row = { deprecated: true, deprecatedSince: '2026-01-01', sunset: '2027-06-30', docs };
    expect(await headersOf({ eth_getBlock: row })).toEqual({
      deprecation: '@1767225600',
      sunset: 'Wed, 30 Jun 2027 00:00:00 GMT',
      link: `<${docs}>; rel="deprecation"; type="text/html", <${docs}>; rel="sunset"; type="text/html"`,
    });
  });

  it('has the headers with invalid params too, and by its stability alone', async () => {
    const rows = { eth_getBlock: { stability: 'deprecated', deprecatedSince: '2026-01-01' } };
    expect(await headersOf(rows, call(1, 'no flag'))).toMatchObject({
      deprecation: '@1767225600',
      link: null,
    });
  });

  it('that is deprecated without a date reports the earliest possible one', async () => {
    expect(await headersOf({ eth_getBlock: { deprecated: true } })).toMatchObject({
      deprecation: '@0',
      sunset: null,
    });
  });

  it('with only a sunset date has no Deprecation header', async () => {
    expect(await headersOf({ eth_getBlock: { sunset: '2027-06-30T12:00:00Z', docs } })).toEqual({
      deprecation: null,
      sunset: 'Wed, 30 Jun 2027 12:00:00 GMT',
      link: `<${docs}>; rel="sunset"; type="text/html"`,
    });
  });

  it('in a batch contributes to the earliest dates, with every link once', async () => {
    const other = 'https://docs.example/b';
    const rows = {
      eth_getBlock: { deprecated: true, deprecatedSince: '2026-01-01', sunset: '2028-01-01', docs },
      eth_getProof: {
        deprecated: true,
        deprecatedSince: '2025-01-01',
        sunset: '2029-01-01',
        docs: other,
      },
    };
    const proof = '{"jsonrpc":"2.0","id":3,"method":"eth_getProof","params":["0x1"]}';
    const { deprecation, sunset, link } = await headersOf(
      rows,
      `[${call(1)},${call(2)},${proof},{"jsonrpc":"2.0","id":4,"method":"odd"}]`,
    );
    expect(deprecation).toBe('@1735689600');
    expect(sunset).toBe('Sat, 01 Jan 2028 00:00:00 GMT');
    expect(link?.split(', ')).toHaveLength(4);
  });

  it('has well-formed headers, whatever the document contains', async () => {
    const row = {
      deprecated: true,
      deprecatedSince: 'soon',
      sunset: 'late',
      docs: 'https://x/>\r\ny',
    };
    const odd = await headersOf({ eth_getBlock: row });
    expect(odd).toMatchObject({ deprecation: '@0', sunset: null });
    expect(odd['link']).toBe('<https://x/%3Ey>; rel="deprecation"; type="text/html"');
    const none = await headersOf({ eth_getBlock: { deprecated: true, docs: 'the wiki' } });
    expect(none['link']).toBeNull();
  });
});
