interface Family {
  readonly head: string[];
  readonly samples: string[];
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?( .*)$/;

/**
 * The metrics of several processes (Prometheus text format, version 0.0.4) as one text: each sample
 * bears the label `worker`, so that a process that starts anew resets its own counters only.
 */
export function mergeMetrics(texts: ReadonlyMap<string, string>): string {
  const families = new Map<string, Family>();
  for (const [worker, text] of texts) {
    let family: Family | undefined;
    for (const line of text.split('\n')) {
      const head = /^# (HELP|TYPE) (\S+)/.exec(line);
      if (head !== null) {
        const [, kind, name] = head;
        family = families.get(name!) ?? { head: [], samples: [] };
        families.set(name!, family);
        if (!family.head.some((known) => known.startsWith(`# ${kind} `))) family.head.push(line);
        continue;
      }
      const sample = SAMPLE.exec(line);
      if (sample === null) continue;
      const [, name, labels = '', value] = sample;
      const all = labels === '' ? '' : `,${labels}`;
      family?.samples.push(`${name}{worker="${worker}"${all}}${value}`);
    }
  }
  const lines = [...families.values()].flatMap(({ head, samples }) => [...head, ...samples]);
  return `${lines.join('\n')}\n`;
}
