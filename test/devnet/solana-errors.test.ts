import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSolanaNode } from '../../src/devnet/solana/index.ts';
import { solanaFacts as facts } from './solana-facts.ts';
import type { DevnetNode } from '../../src/devnet/node-server.ts';
import { callNode, callText } from './solana-caller.ts';

let node: DevnetNode;
beforeAll(async () => {
  node = await startSolanaNode();
});
afterAll(() => node.stop());

const program = facts.programs.registry;
const config = (config: unknown): unknown[] => [program, config];
const filter = (filter: unknown): unknown[] => config({ filters: [filter] });
const memcmp = (memcmp: unknown): unknown[] => filter({ memcmp });

test.each<[string, unknown, string]>([
  ['no params', undefined, '`params` should have at least 1 argument(s)'],
  ['empty params', [], '`params` should have at least 1 argument(s)'],
  ['params by name', { address: program }, '`params` should be an array'],
  [
    'an address that is not a string',
    [5],
    'Invalid params: invalid type: integer `5`, expected a string.',
  ],
  ['a null address', [null], 'Invalid params: invalid type: null, expected a string.'],
  ['an empty address', [''], 'Invalid param: WrongSize'],
  ['an address too short', ['abc'], 'Invalid param: WrongSize'],
  ['an address too long', ['1'.repeat(45)], 'Invalid param: WrongSize'],
  ['an address of 44 characters but 33 bytes', ['z'.repeat(44)], 'Invalid param: WrongSize'],
  ['an address outside base58', [`0${program.slice(1)}`], 'Invalid param: Invalid'],
  [
    'a config that is not an object',
    config('base64'),
    'Invalid params: invalid type: string "base64", expected struct RpcProgramAccountsConfig.',
  ],
  [
    'a config that is an array',
    config([]),
    'Invalid params: invalid type: sequence, expected struct RpcProgramAccountsConfig.',
  ],
  [
    'an unknown encoding',
    config({ encoding: 'hex' }),
    'Invalid params: unknown variant `hex`, expected one of `binary`, `base58`, `base64`, `jsonParsed`, `base64+zstd`.',
  ],
  [
    'an encoding that is not a string',
    config({ encoding: 1 }),
    'Invalid params: invalid type: integer `1`, expected string or map.',
  ],
  [
    'withContext that is not a boolean',
    config({ withContext: 'yes' }),
    'Invalid params: invalid type: string "yes", expected a boolean.',
  ],
  [
    'sortResults that is not a boolean',
    config({ sortResults: {} }),
    'Invalid params: invalid type: map, expected a boolean.',
  ],
  [
    'a negative minContextSlot',
    config({ minContextSlot: -1 }),
    'Invalid params: invalid value: integer `-1`, expected u64.',
  ],
  [
    'a fractional minContextSlot',
    config({ minContextSlot: 1.5 }),
    'Invalid params: invalid type: floating point `1.5`, expected u64.',
  ],
  [
    'a minContextSlot as text',
    config({ minContextSlot: '1' }),
    'Invalid params: invalid type: string "1", expected u64.',
  ],
  [
    'a dataSlice without length',
    config({ dataSlice: { offset: 0 } }),
    'Invalid params: missing field `length`.',
  ],
  [
    'a dataSlice without offset',
    config({ dataSlice: { length: 0 } }),
    'Invalid params: missing field `offset`.',
  ],
  [
    'a dataSlice of the wrong type',
    config({ dataSlice: true }),
    'Invalid params: invalid type: boolean `true`, expected struct UiDataSliceConfig.',
  ],
  [
    'filters that are not an array',
    config({ filters: {} }),
    'Invalid params: invalid type: map, expected a sequence.',
  ],
  [
    'a filter that is neither text nor object',
    filter(165),
    'Invalid params: invalid type: integer `165`, expected string or map.',
  ],
  [
    'a filter of an unknown kind',
    filter({ lamports: 1 }),
    'Invalid params: unknown variant `lamports`, expected one of `dataSize`, `memcmp`, `tokenAccountState`.',
  ],
  [
    'a filter of two kinds',
    filter({ dataSize: 1, memcmp: {} }),
    'Invalid params: invalid value: map, expected map with a single key.',
  ],
  [
    'an empty filter',
    filter({}),
    'Invalid params: invalid value: map, expected map with a single key.',
  ],
  [
    'a filter named without its value',
    filter('dataSize'),
    'Invalid params: invalid type: unit variant, expected newtype variant.',
  ],
  [
    'tokenAccountState with a value',
    filter({ tokenAccountState: 1 }),
    'Invalid params: invalid type: integer `1`, expected unit.',
  ],
  [
    'dataSize as text',
    filter({ dataSize: '165' }),
    'Invalid params: invalid type: string "165", expected u64.',
  ],
  [
    'a memcmp that is not an object',
    memcmp('x'),
    'Invalid params: invalid type: string "x", expected struct Memcmp.',
  ],
  ['a memcmp without offset', memcmp({ bytes: '2' }), 'Invalid params: missing field `offset`.'],
  ['a memcmp without bytes', memcmp({ offset: 0 }), 'Invalid params: missing field `bytes`.'],
  [
    'a memcmp offset below zero',
    memcmp({ offset: -1, bytes: '2' }),
    'Invalid params: invalid value: integer `-1`, expected usize.',
  ],
  [
    'memcmp bytes that are neither text nor bytes',
    memcmp({ offset: 0, bytes: [256] }),
    'Invalid params: data did not match any variant of untagged enum DataType.',
  ],
  [
    'an unknown memcmp encoding',
    memcmp({ offset: 0, bytes: '2', encoding: 'hex' }),
    'Invalid params: unknown variant `hex`, expected one of `base58`, `base64`, `bytes`.',
  ],
  [
    'memcmp bytes outside base58',
    memcmp({ offset: 0, bytes: '2O' }),
    "Invalid param: Base58DecodeError(InvalidCharacter { character: 'O', index: 1 })",
  ],
  [
    'memcmp bytes outside ASCII',
    memcmp({ offset: 0, bytes: '2é' }),
    'Invalid param: Base58DecodeError(NonAsciiCharacter { index: 1 })',
  ],
  [
    'memcmp bytes outside base64',
    memcmp({ offset: 0, bytes: 'ab!d', encoding: 'base64' }),
    'Invalid param: Base64DecodeError(InvalidByte(2, 33))',
  ],
  [
    'memcmp bytes in base64 without padding',
    memcmp({ offset: 0, bytes: 'yA', encoding: 'base64' }),
    'Invalid param: Base64DecodeError(InvalidPadding)',
  ],
  [
    'memcmp base64 of an impossible length',
    memcmp({ offset: 0, bytes: 'yAAAA', encoding: 'base64' }),
    'Invalid param: Base64DecodeError(InvalidLength(5))',
  ],
  [
    'memcmp text longer than 128 bytes make in base58',
    memcmp({ offset: 0, bytes: 'z'.repeat(176) }),
    'Invalid param: DataTooLarge',
  ],
  [
    'memcmp of 129 bytes in base58',
    memcmp({ offset: 0, bytes: '1'.repeat(129) }),
    'Invalid param: DataTooLarge',
  ],
  [
    'memcmp of 129 bytes in base64',
    memcmp({ offset: 0, bytes: `${'A'.repeat(172)}AAAA`, encoding: 'base64' }),
    'Invalid param: DataTooLarge',
  ],
  [
    'memcmp of 129 bytes as an array',
    memcmp({ offset: 0, bytes: Array.from({ length: 129 }, () => 0) }),
    'Invalid param: DataTooLarge',
  ],
  [
    'five filters',
    config({ filters: Array.from({ length: 5 }, () => ({ dataSize: 1 })) }),
    'Too many filters provided; max 4',
  ],
])('answers %s with -32602 and its text', async (_name, params, message) => {
  const { error } = await callNode(node, 'getProgramAccounts', params);
  expect(error).toEqual({ code: -32602, message });
});

test('answers a third param with an error that has the number of params', async () => {
  const { error } = await callNode(node, 'getProgramAccounts', [program, {}, {}]);
  expect(error).toEqual({
    code: -32602,
    message: 'Invalid parameters: Expected from 1 to 2 parameters.',
    data: '"Got: 3"',
  });
});

test('answers more than 128 bytes of base58 with -32600', async () => {
  for (const options of [{ encoding: 'base58' }, { encoding: 'binary' }, {}]) {
    const { error } = await callNode(node, 'getProgramAccounts', config(options));
    expect(error).toEqual({
      code: -32600,
      message:
        'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
    });
  }
});

test('answers an unmet minContextSlot with -32016 and its current slot', async () => {
  const minContextSlot = facts.slots.finalized + 1;
  const { error } = await callNode(node, 'getProgramAccounts', config({ minContextSlot }));
  expect(error).toEqual({
    code: -32016,
    message: 'Minimum context slot has not been reached',
    data: { contextSlot: facts.slots.finalized },
  });
  expect(await callNode(node, 'getSlot', [{ minContextSlot }])).toMatchObject({ error });
});

test('reads a minContextSlot of 64 bits exactly', async () => {
  const response = await fetch(node.httpUrl, {
    method: 'POST',
    body: `{"jsonrpc":"2.0","id":1,"method":"getProgramAccounts","params":["${program}",{"minContextSlot":18446744073709551615}]}`,
  });
  expect(await response.json()).toMatchObject({ error: { code: -32016 } });
});

test('checks the types of all params before any value', async () => {
  const wrongBoth = ['abc', { encoding: 'hex' }];
  const { error } = await callNode(node, 'getProgramAccounts', wrongBoth);
  expect(error?.message).toContain('unknown variant `hex`');
});

test('answers an unknown method with -32601', async () => {
  expect(await callText(node, 'getNothing')).toBe(
    '{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":1}',
  );
});

test('answers params where none are expected with -32602', async () => {
  const { error } = await callNode(node, 'getHealth', [1]);
  expect(error).toMatchObject({
    code: -32602,
    message: 'Invalid parameters: No parameters were expected',
  });
});
