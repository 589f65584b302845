import { describe, expect, it } from 'vitest';
import { readEnvironment } from '../../src/config/environment.ts';

describe('the environment', () => {
  it('has defaults for all variables', () => {
    expect(readEnvironment({})).toEqual({
      EVM_PORT: 8545,
      SOLANA_PORT: 8899,
      ARCHIVE_PORT: 8547,
      DOCS_PORT: 3000,
      OPS_PORT: 9090,
      SPECGATE_HOME: '.specgate',
      SPECGATE_LOG: 'warn',
    });
  });

  it('sets ports, where 0 is any free port, and the state folder', () => {
    const env = { EVM_PORT: '0', OPS_PORT: '65535', SPECGATE_HOME: '/srv/specgate' };
    expect(readEnvironment(env)).toMatchObject({
      EVM_PORT: 0,
      OPS_PORT: 65_535,
      SPECGATE_HOME: '/srv/specgate',
    });
  });

  it('is rejected with invalid values, listing each variable', () => {
    const env = { EVM_PORT: '65536', DOCS_PORT: 'http', SPECGATE_LOG: 'loud', SPECGATE_HOME: '' };
    expect(() => readEnvironment(env)).toThrow(
      [
        'EVM_PORT: expected a port from 0 to 65535, got "65536"',
        'DOCS_PORT: expected a port from 0 to 65535, got "http"',
        'SPECGATE_HOME: expected the path of a folder, got ""',
        'SPECGATE_LOG: expected debug, info, warn, error or silent, got "loud"',
      ].join('\n'),
    );
  });
});
