// A process that puts load on servers.
import { serveParent } from '../parent.ts';
import { createCallers } from './callers.ts';
import { drive, type Load } from './drive.ts';
import { readSlowly } from './slow-readers.ts';

const open = createCallers();

serveParent({ drive: async (load: Load) => drive(await open(load), load), readSlowly });
