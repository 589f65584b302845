import { expect, test } from 'vitest';
import { nearestName } from '../../../common/validators-runtime/nearest-name.js';

test('the nearest name is found whatever its spelling, and only if it is near', () => {
  expect(nearestName('requestBytes', ['response-bytes', 'request_bytes'])).toBe('request_bytes');
  expect(nearestName('latets', ['earliest', 'latest', 'safe'])).toBe('latest');
  expect(nearestName('latets', ['finalized', 'q', 'constructor'])).toBe(null);
});
