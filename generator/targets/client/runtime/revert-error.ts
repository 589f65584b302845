import { RpcError } from './rpc-error.ts';

const PREFIX = /^execution reverted(?::\s*)?/i;

/**
 * A contract's code executed REVERT. `data` is the raw revert data (`0x…`: an ABI-encoded
 * `Error(string)`, `Panic(uint256)` or custom error).
 */
export class RevertError<
  Code extends number = number,
  Reason extends string | null = string | null,
  Data = unknown,
> extends RpcError<Code, Reason, Data> {
  /** The decoded reason the server put after `execution reverted:`; null when it gave none. */
  get revertReason(): string | null {
    const text = this.message.replace(PREFIX, '');
    return text === '' ? null : text;
  }
}
