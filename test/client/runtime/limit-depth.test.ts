import { describe, expect, test } from 'vitest';
import { http } from '../../../generated/client/src/node.ts';
import { limitDepth } from '../../../generator/targets/client/runtime/limit-depth.ts';
import { webSocket } from '../../../generator/targets/client/runtime/web-socket.ts';
import { callOf, calm, rejection, serveHttp, serveSocket } from '../servers.ts';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

describe('JSON of more levels than any response needs', () => {
  const json = limitDepth(JSON);

  test.each([
    ['arrays', nested(600_000)],
    ['objects', `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`],
    ['after a string that looks like the end', `["]\\"]]",${nested(600_000)}]`],
    ['that are never closed', '['.repeat(1_100_000)],
  ])('is not parsed: %s', (_, text) => {
    expect(() => json.parse(text)).toThrow('JSON is nested too deeply');
  });

  test.each([
    ['brackets in strings', JSON.stringify(['[{'.repeat(600_000)])],
    ['escapes', JSON.stringify([`\\"${'[\\"'.repeat(400_000)}`])],
    ['many siblings', JSON.stringify(Array.from({ length: 200_000 }, () => [{}]))],
    ['a thousand levels', `[${nested(1_000)},"${'x'.repeat(1_000_000)}"]`],
  ])('does not include %s', (_, text) => {
    expect(JSON.stringify(json.parse(text))).toBe(text);
  });
});

const deep = `{"jsonrpc":"2.0","id":1,"result":${nested(600_000)}}`;

test('a response of too many levels is rejected over HTTP in Node', async () => {
  await using server = await serveHttp((response) => response.end(deep));
  const error = await rejection(http({ url: server.url })(callOf('m'), calm));
  expect(error).toMatchObject({ reason: 'not_json' });
  expect(String(error)).not.toContain('secret-key');
});

test('a response of too many levels is rejected over a WebSocket', async () => {
  await using server = await serveSocket((socket) => socket.send(deep));
  const error = await rejection(webSocket({ url: server.url })(callOf('m'), calm));
  expect(error).toMatchObject({ reason: 'not_json' });
});
