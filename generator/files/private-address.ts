import { BlockList, isIPv4 } from 'node:net';

/**
 * Addresses that are not reached over the internet: this machine, its network, its cloud, and what the
 * registries of special-purpose addresses (RFC 6890) call not globally reachable.
 */
const PRIVATE_IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  // Looks public, but is the host of a virtual machine in Azure, with its settings.
  ['168.63.129.16', 32],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const;

const PRIVATE_IPV6 = [
  ['::', 127],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['100:0:0:1::', 64],
  // With Teredo (RFC 4380), which ends in an IPv4 address, each bit inverted.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const;

/**
 * Prefixes of IPv6 addresses that end in an IPv4 address: compatible and mapped (RFC 4291), translated
 * (RFC 2765) and NAT64 (RFC 6052). 64:ff9b:1::/48 (RFC 8215) is for the translators of one network.
 */
const IPV4_IN_IPV6 = ['::', '::ffff:', '::ffff:0:', '64:ff9b::'];

const blocked = new BlockList();
for (const [address, bits] of PRIVATE_IPV6) blocked.addSubnet(address, bits, 'ipv6');
for (const [address, bits] of PRIVATE_IPV4) {
  blocked.addSubnet(address, bits, 'ipv4');
  for (const prefix of IPV4_IN_IPV6) blocked.addSubnet(prefix + address, 96 + bits, 'ipv6');
  blocked.addSubnet(in6to4(address), 16 + bits, 'ipv6');
}

/** Returns the prefix of the network behind an IPv4 address in 6to4 (RFC 3056). */
function in6to4(address: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return `2002:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}::`;
}

/** Checks whether an IP address belongs to this machine or to a private network. */
export function isPrivateAddress(address: string): boolean {
  return blocked.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}
