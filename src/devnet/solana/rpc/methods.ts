import type { NodeHandler } from '../../node-server.ts';
import { encodeAddress } from '../addresses.ts';
import { namedBytes } from '../keypair.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { skippedSlots } from '../ledger/slots.ts';
import { decodeContextConfig } from './config.ts';
import { errors } from './errors.ts';
import { takeParams } from './params.ts';
import { getProgramAccounts, selectView } from './program-accounts.ts';
import { version } from './version.ts';

type Method = (ledger: Ledger, params: unknown) => unknown;

const genesisHash = encodeAddress(namedBytes('genesis'));

/** A method without params, whose answer never changes. */
function answerConstant(answer: unknown): Method {
  return (_ledger, params) => {
    takeParams(params, { least: 0, most: 0 });
    return answer;
  };
}

function getSlot(ledger: Ledger, params: unknown): bigint {
  const [config] = takeParams(params, { least: 0, most: 1 });
  return selectView(ledger, decodeContextConfig(config)).slot;
}

const methods = new Map<string, Method>([
  ['getProgramAccounts', getProgramAccounts],
  ['getSlot', getSlot],
  ['getBlockHeight', (ledger, params) => getSlot(ledger, params) - skippedSlots],
  ['getHealth', answerConstant('ok')],
  ['getGenesisHash', answerConstant(genesisHash)],
  [
    'getVersion',
    answerConstant({ 'feature-set': version.featureSet, 'solana-core': version.core }),
  ],
]);

/** The node's methods over a ledger. */
export function handleMethods(ledger: Ledger): NodeHandler {
  return (name, params) => {
    const method = methods.get(name);
    if (method === undefined) throw errors.methodNotFound();
    return method(ledger, params);
  };
}
