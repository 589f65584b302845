// Loaded before a server's own code (`node --import`): reports the CPU time and memory of the whole
// process, threads included, and profiles its main thread.
import { writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { answerParent } from '../parent.ts';

let session: Session | undefined;

answerParent({
  cpu_us() {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  rss_bytes: () => process.memoryUsage.rss(),
  async startProfile() {
    session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
  },
  async stopProfile(file: string) {
    const { profile } = await session!.post('Profiler.stop');
    session!.disconnect();
    await writeFile(file, JSON.stringify(profile));
  },
});
