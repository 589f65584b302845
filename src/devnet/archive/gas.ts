import { NodeError } from '../node-server.ts';
import { toBytes } from './rlp.ts';
import { readAddress, readBytes, readQuantity, type Read } from './params.ts';
import { hasCode, type Account } from './state.ts';

/** The members of a call object that determine its gas. */
interface GasCall {
  readonly from: string;
  readonly to: string | undefined;
  readonly gas: bigint | undefined;
  readonly gasPrice: bigint;
  readonly value: bigint;
  readonly data: string;
}

/** Finds an account in the state of the call. */
type FindAccount = (address: string) => Account;

const transferGas = 21_000;
// Costs before Istanbul (EIP-2028).
const zeroByteGas = 4;
const otherByteGas = 68;

/** The highest precompiled contract of Byzantium. */
const lastPrecompile = 8n;

/** @throws NodeError with the invalid member. */
export function readGasCall(call: Readonly<Record<string, unknown>>): GasCall {
  const member = <T>(name: string, read: Read<T>): T | undefined => {
    const value = call[name];
    if (value === undefined || value === null) return undefined;
    try {
      return read(value);
    } catch (error) {
      throw new NodeError(-32602, `invalid argument 0: ${name}: ${(error as Error).message}`);
    }
  };
  return {
    from: member('from', readAddress) ?? `0x${'0'.repeat(40)}`,
    to: member('to', readAddress),
    gas: member('gas', readQuantity),
    gasPrice: member('gasPrice', readQuantity) ?? 0n,
    value: member('value', readQuantity) ?? 0n,
    data: member('input', readBytes) ?? member('data', readBytes) ?? '0x',
  };
}

function intrinsicGas(data: string): bigint {
  const costs = Array.from(toBytes(data), (byte) => (byte === 0 ? zeroByteGas : otherByteGas));
  return BigInt(costs.reduce((gas, cost) => gas + cost, transferGas));
}

function runsCode(to: string | undefined, findAccount: FindAccount): boolean {
  if (to === undefined) return true;
  const number = BigInt(to);
  return (number > 0n && number <= lastPrecompile) || hasCode(findAccount(to));
}

/**
 * Returns the intrinsic gas (Yellow Paper) of a transfer to an account without code.
 *
 * @param allowance the gas limit of the block, which bounds an estimate without `gas`.
 * @throws NodeError -32000 if code would have to run, the sender cannot pay or the gas is too low.
 */
export function estimateGas(call: GasCall, allowance: bigint, findAccount: FindAccount): bigint {
  if (runsCode(call.to, findAccount)) {
    throw new NodeError(
      -32000,
      'this node serves a recorded chain and executes no code: it estimates transfers to accounts without code only',
    );
  }
  const gas = intrinsicGas(call.data);
  const limit = call.gas ?? allowance;
  if (gas > limit) throw new NodeError(-32000, `gas required exceeds allowance (${limit})`);
  const balance = BigInt(findAccount(call.from).balance);
  if (call.value + gas * call.gasPrice > balance) {
    throw new NodeError(-32000, 'insufficient funds for transfer');
  }
  return gas;
}
