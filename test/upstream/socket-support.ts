import type { Clock } from '../../src/time/clock.ts';
import type { UpstreamLimits } from '../../src/upstream/limits.ts';
import type { Failure, OpenUpstream } from '../../src/upstream/upstream.ts';
import type { FakeSocketNode } from './fake-socket-node.ts';
import { openAt } from './support.ts';

interface Connected extends OpenUpstream {
  readonly states: [isReady: boolean, detail: string][];
  /** Details of dropped messages, as they were reported. */
  readonly dropped: string[];
}

/** Opens an upstream over WebSocket and starts it. */
export async function connect(
  node: Pick<FakeSocketNode, 'url'>,
  {
    limits = {},
    verify = async () => undefined,
    clock,
  }: {
    limits?: Partial<UpstreamLimits>;
    verify?: () => Promise<Failure | undefined>;
    clock?: Clock;
  } = {},
): Promise<Connected> {
  const upstream = openAt(node.url, limits, clock);
  const states: Connected['states'] = [];
  const dropped: string[] = [];
  await upstream.start({
    verify,
    onReady: (isReady, detail) => states.push([isReady, detail]),
    onDropped: (detail) => dropped.push(detail),
  });
  return { ...upstream, states, dropped };
}
