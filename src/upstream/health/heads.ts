import { readableHeight } from '../routing/heights.ts';
import type { UpstreamNode } from '../upstream-node.ts';
import type { Head } from './probes.ts';

/**
 * Returns the head of the healthy node with the most blocks that can be read. One that lost its
 * connection recently counts too, because calls wait for it.
 */
export function highestHead(nodes: readonly UpstreamNode[]): Head | undefined {
  let best: Head | undefined;
  let highest = -1;
  for (const node of nodes) {
    const height = readableHeight(node) ?? 0;
    const { head } = node.health;
    const isUsed = node.isHealthy || node.health.reconnected !== undefined;
    if (head === undefined || height < highest || !isUsed) continue;
    if (height === highest && head.number <= (best?.number ?? -1)) continue;
    best = head;
    highest = height;
  }
  return best;
}

/** Returns the lowest finalized block of the nodes; undefined when a healthy node has not reported one. */
export function finalizedByAll(nodes: readonly UpstreamNode[]): number | undefined {
  let lowest: number | undefined;
  for (const { isHealthy, health } of nodes) {
    const finalized = health.head?.finalized;
    if (finalized === undefined) {
      if (isHealthy) return undefined;
    } else if (lowest === undefined || finalized < lowest) {
      lowest = finalized;
    }
  }
  return lowest;
}
