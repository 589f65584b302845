import { hasWideIntegers, writeArguments, writeLiteral, writeString } from './literal.ts';
import type { Json, Sample, SampleCall, SampleTemplate } from './sample.ts';
import {
  curl,
  ethers,
  fetchSample,
  httpUrl,
  solanaKit,
  viem,
  wscat,
  type Writer,
} from './tools.ts';

interface Row extends Omit<Sample, 'code'> {
  readonly write: Writer;
}

const GENERAL: readonly Row[] = [
  { id: 'curl', label: 'curl', language: 'bash', write: curl },
  { id: 'wscat', label: 'wscat', language: 'bash', write: wscat },
  { id: 'fetch', label: 'fetch', language: 'typescript', write: fetchSample },
];

const LIBRARIES: readonly Row[] = [
  { id: 'viem', label: 'viem', language: 'typescript', write: viem },
  { id: 'ethers', label: 'ethers', language: 'typescript', write: ethers },
  { id: 'solana-kit', label: '@solana/kit', language: 'typescript', write: solanaKit },
];

/**
 * Writes a call in every language that can make it: with general tools, the generated clients, and
 * libraries. The site is built with it, and the browser calls it when a reader changes the params.
 */
export function renderSamples(call: SampleCall): readonly Sample[] {
  const clients = call.method.samples.map(({ id, label, language, ...template }): Row => {
    return { id, label, language, write: () => fillTemplate(template, call) };
  });
  return [...GENERAL, ...clients, ...LIBRARIES].flatMap(({ write, ...sample }) => {
    const code = write(call);
    return code === null ? [] : [{ ...sample, code }];
  });
}

function fillTemplate(
  { syntax, code, codeByName = code }: Pick<SampleTemplate, 'syntax' | 'code' | 'codeByName'>,
  call: SampleCall,
): string | null {
  const { params } = call;
  if (syntax.wideSuffix === null && hasWideIntegers(params)) return null;
  return (Array.isArray(params) ? code : codeByName)
    .map((part) => {
      if (typeof part === 'string') return part;
      if (part.slot === 'url') return writeString(httpUrl(call), syntax);
      if (part.slot === 'params') return writeLiteral(params as Json, syntax, part.indent);
      return writeArguments(params, syntax, part.indent ?? syntax.indent);
    })
    .join('');
}
