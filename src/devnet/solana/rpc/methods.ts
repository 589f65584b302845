import type { NodeHandler } from '../../node-server.ts';
import { solanaFacts } from '../facts.ts';
import { encodeAddress, namedBytes } from '../addresses.ts';
import { type Ledger, skippedSlots } from '../ledger/ledger.ts';
import { decodeContextConfig } from './config.ts';
import { errors, takeParams } from './errors.ts';
import { getProgramAccounts, selectView } from './program-accounts.ts';

type Method = (ledger: Ledger, params: unknown) => unknown;

/** An arbitrary number: real ones are hashes that no client reads. */
const FEATURE_SET = 1_500_430_001;

const genesisHash = encodeAddress(namedBytes('genesis'));

/** Returns a method without params and with a constant result. */
function answerConstant(answer: unknown): Method {
  return (_ledger, params) => {
    takeParams(params, { min: 0, max: 0 });
    return answer;
  };
}

function getSlot(ledger: Ledger, params: unknown): bigint {
  const [config] = takeParams(params, { min: 0, max: 1 });
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
    answerConstant({ 'feature-set': FEATURE_SET, 'solana-core': solanaFacts.version }),
  ],
]);

/** Returns the methods of the node. */
export function handleMethods(ledger: Ledger): NodeHandler {
  return (name, params) => {
    const method = methods.get(name);
    if (method === undefined) throw errors.methodNotFound();
    return method(ledger, params);
  };
}
