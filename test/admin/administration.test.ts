import { describe } from 'vitest';
import { bothEngines } from '../store/support.ts';
import { testAccounts } from './account-cases.ts';
import { testKeys } from './key-cases.ts';
import { testUsage } from './usage-cases.ts';

describe.each(bothEngines())('on $name', (engine) => {
  describe('accounts', () => testAccounts(engine));
  describe('keys', () => testKeys(engine));
  describe('usage', () => testUsage(engine));
});
