// Loaded before a server's own code (`node --import`): reports the CPU time of the whole process,
// threads included.
import { answerParent } from '../parent.ts';

answerParent({
  cpu_us() {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
});
