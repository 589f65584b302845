import { isMet, type GoalRow } from './goals.ts';

/** All in pixels. */
const WIDTH = 760;
const LABELS = 270;
const FIGURES = 170;
const ROW = 30;
const BAR = 16;
const TOP = 56;
const BOTTOM = 16;
/** A longer bar is cut: it would make all others short. */
const MAX_TIMES_GOAL = 4;

const STYLE = `
  svg { font: 13px system-ui, sans-serif; }
  .page { fill: #ffffff; } text { fill: #1f2328; } .quiet { fill: #59636e; }
  .met { fill: #1a7f37; } .missed { fill: #bc4c00; } .track { fill: #eff2f5; }
  .goal { stroke: #1f2328; stroke-width: 2; }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117; } text { fill: #f0f6fc; } .quiet { fill: #9198a1; }
    .met { fill: #3fb950; } .missed { fill: #db6d28; } .track { fill: #212830; }
    .goal { stroke: #f0f6fc; }
  }`;

/**
 * Draws the goals as bars: as long as what was measured, in parts of the goal, so that one line stands
 * for all goals. Rows that were not measured are left out.
 */
export function renderChart(rows: readonly GoalRow[]): string {
  const drawn = rows.filter(({ measured }) => measured !== null);
  const height = TOP + drawn.length * ROW + BOTTOM;
  const space = WIDTH - LABELS - FIGURES;
  const longest = Math.max(1, ...drawn.map(({ measured, max }) => measured!.median / max));
  const scale = space / Math.min(MAX_TIMES_GOAL, longest * 1.05);
  const goal_x = LABELS + scale;
  const bars = drawn.map((row, index) => {
    const { name, measured, max, unit } = row;
    const y = TOP + index * ROW;
    const length = Math.min(space, (measured!.median / max) * scale);
    const text = y + BAR - 3;
    return `  <text x="${LABELS - 12}" y="${text}" text-anchor="end">${name}</text>
  <rect class="track" x="${LABELS}" y="${y}" width="${space}" height="${BAR}"/>
  <rect class="${isMet(row) === true ? 'met' : 'missed'}" x="${LABELS}" y="${y}" width="${length.toFixed(1)}" height="${BAR}"/>
  <text x="${WIDTH - FIGURES + 12}" y="${text}">${measured!.median.toFixed(2)} ${unit} <tspan class="quiet">goal ${max} ${unit}</tspan></text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Measured figures of the gateway beside their goals">
<style>${STYLE}
</style>
  <rect class="page" width="${WIDTH}" height="${height}"/>
  <text x="12" y="20">CPU time of the gateway beside a bare pass-through (1 ×), unless stated otherwise</text>
  <text class="quiet" x="${goal_x.toFixed(1)}" y="44" text-anchor="middle">goal</text>
${bars.join('\n')}
  <line class="goal" x1="${goal_x.toFixed(1)}" x2="${goal_x.toFixed(1)}" y1="${TOP - 6}" y2="${height - BOTTOM}"/>
</svg>
`;
}
