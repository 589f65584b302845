import type { Operation } from '../database.ts';
import {
  addPlans,
  createAccount,
  listAccounts,
  listPlans,
  setSuspended,
  setTerms,
} from './administer-accounts.ts';
import { createKey, listKeys, revokeKey, rotateKey, updateKey } from './administer-keys.ts';
import { readChanges } from './changes.ts';
import { closeExpiredLeases } from './close-expired.ts';
import { readToday } from './day-report.ts';
import { listUsage } from './list-usage.ts';
import { migrate } from './migrations.ts';
import { putAccount, putKey, putPlan } from './put.ts';
import { renewLeases } from './renew-leases.ts';

/** All that can be asked of a store, whatever the engine. */
export const operations = {
  migrate,
  readChanges,
  putPlan,
  putAccount,
  putKey,
  renewLeases,
  closeExpiredLeases,
  readToday,
  listUsage,
  listPlans,
  addPlans,
  createAccount,
  setTerms,
  setSuspended,
  listAccounts,
  createKey,
  updateKey,
  revokeKey,
  rotateKey,
  listKeys,
};

type Operations = typeof operations;
export type OperationName = keyof Operations;
export type ArgsOf<Name extends OperationName> =
  Operations[Name] extends Operation<infer Args, unknown> ? Args : never;
export type ResultOf<Name extends OperationName> =
  Operations[Name] extends Operation<infer _Args, infer Result> ? Result : never;

/** A store's engine. */
export interface Database {
  /** Rejects with StoreError. */
  perform<Name extends OperationName>(name: Name, args: ArgsOf<Name>): Promise<ResultOf<Name>>;
  /** Ends once what was asked before has been done. */
  close(): Promise<void>;
}
