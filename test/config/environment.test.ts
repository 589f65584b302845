import { describe, expect, it } from 'vitest';
import { readEnvironment } from '../../src/config/environment.ts';

describe('the environment', () => {
  it('has a default for everything', () => {
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

  it('sets ports, 0 being any free one, and the folder of the state', () => {
    const env = { EVM_PORT: '0', OPS_PORT: '65535', SPECGATE_HOME: '/srv/specgate' };
    expect(readEnvironment(env)).toMatchObject({
      EVM_PORT: 0,
      OPS_PORT: 65_535,
      SPECGATE_HOME: '/srv/specgate',
    });
  });

  it('with values that cannot be used is refused, naming each variable and the mend', () => {
    const env = { EVM_PORT: '65536', DOCS_PORT: 'http', SPECGATE_LOG: 'loud', SPECGATE_HOME: '' };
    expect(() => readEnvironment(env)).toThrow(
      [
        'EVM_PORT: "65536" is not usable; set it to a port, 0 to 65535',
        'DOCS_PORT: "http" is not usable; set it to a port, 0 to 65535',
        'SPECGATE_HOME: "" is not usable; set it to the path of a folder',
        'SPECGATE_LOG: "loud" is not usable; set it to debug, info, warn, error or silent',
      ].join('\n'),
    );
  });
});
