import type { Library } from '../library.ts';
import { ethers, ethersBefore } from './ethers.ts';
import { pythonClient, typeScriptClient } from './generated.ts';
import { jaysonClient, jsonRpc2, openRpcClient } from './json-rpc.ts';
import { rustClient, web3Py } from './recorded.ts';
import { solanaKit, solanaWeb3 } from './solana.ts';
import { viem } from './viem.ts';
import { web3 } from './web3.ts';

/** Every library of the table, in its order. */
export const libraries: readonly Library[] = [
  viem,
  ethers,
  ethersBefore,
  web3,
  web3Py,
  solanaKit,
  solanaWeb3,
  rustClient,
  jaysonClient,
  jsonRpc2,
  openRpcClient,
  typeScriptClient,
  pythonClient,
];
