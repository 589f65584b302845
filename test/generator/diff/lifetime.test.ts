import { expect, test } from 'vitest';
import { documentOf, methodOf } from '../support/document.ts';
import { diffOf, kindsIn } from './support/documents.ts';

const sunset = { 'x-sunset': '2099-01-01' };
const method = (more: object) => documentOf([{ ...methodOf('a', {}), ...more }]);
const kindsOf = async (old: object, fresh: object) =>
  kindsIn(await diffOf(method(old), method(fresh)));

test('a method that loses its mark and keeps its date is not changed silently', async () => {
  const both = { deprecated: true, ...sunset };
  expect(await kindsOf(both, sunset)).toEqual(['sunset-without-deprecation']);
  expect(await kindsOf(sunset, both)).toEqual(['method-deprecated']);
  expect(await kindsOf(both, { 'x-stability': 'deprecated', ...sunset })).toEqual([]);
});

test('a date that was missing is reported with the mark or alone', async () => {
  expect(await kindsOf({ deprecated: true }, sunset)).toEqual([
    'sunset-without-deprecation',
    'sunset-added',
  ]);
  expect(await kindsOf({}, sunset)).toEqual(['sunset-without-deprecation']);
});
