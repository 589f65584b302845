import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { artifactsFile, renderArtifacts } from '../../scripts/compile-contracts.ts';

describe('the compiled contracts', () => {
  it('are what the compiler writes for the committed sources', () => {
    expect(renderArtifacts()).toBe(readFileSync(artifactsFile, 'utf8'));
  });
});
