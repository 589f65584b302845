const identity: Readonly<Record<string, string>> = {
  eth_chainId: '"0x7a69"',
  getGenesisHash: '"Genesis111"',
  getHealth: '"ok"',
  getSlot: '1000',
};
const head = '{"number":"0x10","gasLimit":"0x1c9c380","transactions":[]}';

/** The answer of a fake node to a probe, as JSON text; undefined for other requests. */
export function probeAnswer({
  method,
  params,
}: {
  readonly method: string;
  readonly params: unknown[];
}): string | undefined {
  const isHead =
    method === 'eth_getBlockByNumber' && /^(latest|finalized)$/.test(String(params[0]));
  return isHead ? head : identity[method];
}

/** Answers probes like a node at another height. */
export function atHeight(height: number): typeof probeAnswer {
  return (request) => {
    if (request.method === 'getSlot') return String(height);
    const answer = probeAnswer(request);
    return answer === head ? head.replace('0x10', `0x${height.toString(16)}`) : answer;
  };
}
