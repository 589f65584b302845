import { expect, test } from 'vitest';
import { isPrivateAddress } from '../../../generator/files/private-address.ts';

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.2',
  '169.254.169.254',
  '172.31.255.255',
  '192.168.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '::127.0.0.1',
  '::a9fe:a9fe',
  '64:ff9b::a00:1',
  '64:ff9b:1::1',
  '64:ff9b:1:ffff:a00:1::',
  '2002:a00:1::1',
  '2002:a9fe:a9fe::',
  '2002:c0a8:101:1:2:3:4:5',
  'fd00::1',
  'fe80::1',
])('%s is private', (address) => {
  expect(isPrivateAddress(address)).toBe(true);
});

test.each([
  '1.1.1.1',
  '172.32.0.1',
  '192.169.0.1',
  '198.20.0.1',
  '2606:4700::1111',
  '::ffff:1.1.1.1',
  '64:ff9b::101:101',
  '64:ff9b:2::1',
  '::101:101',
  '2002:101:101::',
])('%s is public', (address) => {
  expect(isPrivateAddress(address)).toBe(false);
});
