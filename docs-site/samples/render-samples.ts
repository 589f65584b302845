import { python } from './python.ts';
import type { Sample, SampleCall, Writer } from './sample.ts';
import { ethers, fetchSample, generatedClient, solanaKit, viem } from './script.ts';
import { curl, wscat } from './shell.ts';

interface Row {
  readonly id: string;
  readonly label: string;
  readonly language: string;
  readonly write: Writer;
}

/** The languages, in the order they are offered. */
const rows: readonly Row[] = [
  { id: 'curl', label: 'curl', language: 'bash', write: curl },
  { id: 'wscat', label: 'wscat', language: 'bash', write: wscat },
  { id: 'fetch', label: 'fetch', language: 'typescript', write: fetchSample },
  { id: 'client', label: 'Client', language: 'typescript', write: generatedClient },
  { id: 'viem', label: 'viem', language: 'typescript', write: viem },
  { id: 'ethers', label: 'ethers', language: 'typescript', write: ethers },
  { id: 'solana-kit', label: '@solana/kit', language: 'typescript', write: solanaKit },
  { id: 'python', label: 'Python', language: 'python', write: python },
];

/**
 * The code of a call in every language that can make it. Pure: the site is built with it, and the
 * browser calls it again when a reader changes the params.
 */
export function renderSamples(call: SampleCall): readonly Sample[] {
  return rows.flatMap(({ write, ...row }) => {
    const code = write(call);
    return code === null ? [] : [{ ...row, code }];
  });
}
