// Loaded before a server's own code (`node --import`): tells the CPU time of the whole process, its
// threads included, without the server knowing of it.
import { answerParent } from './answer-parent.ts';

answerParent({
  cpu_us() {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
});
