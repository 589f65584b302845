/** The names of the targets, for those who must not load them all to know them. */
export const targetNames = [
  'types',
  'validators',
  'methods',
  'errors',
  'server',
  'client',
  'python',
] as const;

export type TargetName = (typeof targetNames)[number];
