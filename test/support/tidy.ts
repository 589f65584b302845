/**
 * Run by vitest with each file of tests. Files share a process and its modules, so that what a module
 * asks to be done after all tests is done once, after those of the first file.
 */
import { afterAll } from 'vitest';
import { removeFolders } from '../generator/support/folder.ts';

afterAll(removeFolders);
