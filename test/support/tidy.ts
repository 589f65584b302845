/**
 * Runs with each test file. Files share a process and its modules, so an `afterAll` in a shared module
 * would run only once, after the first file.
 */
import { afterAll } from 'vitest';
import { forgetPatterns } from '../../generator/violations/linear-pattern.ts';
import { removeFolders } from '../generator/support/folder.ts';

afterAll(removeFolders);
afterAll(forgetPatterns);
