import type { Operation } from '../database.ts';
import { closeExpiredLeases, readToday } from './account-day.ts';
import {
  addPlans,
  createAccount,
  listAccounts,
  listPlans,
  putAccount,
  putPlan,
  setSuspended,
  setTerms,
} from './accounts.ts';
import { readChanges } from './changes.ts';
import { createKey, listKeys, putKey, revokeKey, rotateKey, updateKey } from './keys.ts';
import { migrate } from './migrations.ts';
import { renewLeases } from './renew-leases.ts';
import { listUsage } from './usage.ts';

/** All operations of a store; every engine runs the same. */
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

/** The engine of a store. */
export interface Database {
  /** Rejects with StoreError. */
  perform<Name extends OperationName>(name: Name, args: ArgsOf<Name>): Promise<ResultOf<Name>>;
  /** Resolves once the operations already requested have ended. */
  close(): Promise<void>;
}
