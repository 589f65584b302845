/** Loaded into a measured process: writes its peak memory in bytes to the file that MEMORY_FILE names. */
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  const file = process.env['MEMORY_FILE'];
  if (file !== undefined) writeFileSync(file, String(process.resourceUsage().maxRSS * 1024));
});
