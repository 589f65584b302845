import { address, createSolanaRpc, type Rpc, type SolanaRpcApi } from '@solana/kit';
import { Connection, PublicKey, type GetProgramAccountsConfig } from '@solana/web3.js';
import { defineLibrary, versionOf } from '../library.ts';

const SUBSCRIPTIONS_ONLY = 'uses its WebSocket for subscriptions only';

export const solanaKit = defineLibrary<Rpc<SolanaRpcApi>>({
  name: '@solana/kit',
  version: versionOf('@solana/kit'),
  group: 'Solana libraries',
  transports: {
    http: (url) => ({ client: createSolanaRpc(url as 'http://127.0.0.1') as Rpc<SolanaRpcApi> }),
    websocket: SUBSCRIPTIONS_ONLY,
  },
  own: {
    getProgramAccounts: {
      name: 'getProgramAccounts',
      call: async (client, [program, config]) => {
        const options = config as { encoding: 'base64' };
        const accounts = await client.getProgramAccounts(address(program), options).send();
        return accounts.map(({ pubkey }) => pubkey);
      },
    },
  },
});

export const solanaWeb3 = defineLibrary<Connection>({
  name: '@solana/web3.js',
  version: versionOf('@solana/web3.js'),
  group: 'Solana libraries',
  transports: {
    http: (url) => ({ client: new Connection(url) }),
    websocket: SUBSCRIPTIONS_ONLY,
  },
  own: {
    getProgramAccounts: {
      name: 'getProgramAccounts',
      call: async (client, [program, config]) => {
        const accounts = await client.getProgramAccounts(
          new PublicKey(program),
          config as GetProgramAccountsConfig,
        );
        return accounts.map(({ pubkey }) => pubkey.toBase58());
      },
    },
  },
});
