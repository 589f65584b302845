/**
 * What the node says it runs: the Agave release litesvm 1.5 takes its runtime from. The feature set
 * is a number of our own, as a real one is a hash no client reads.
 */
export const version = Object.freeze({ core: '4.3.0', featureSet: 1_500_430_001 });
