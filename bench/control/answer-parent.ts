/** A question from the process that started this one. */
interface Question {
  readonly id: number;
  readonly ask: string;
  readonly about: unknown;
}

/** Answers to questions, by name; a promise is waited for. */
export type Answers = Readonly<Record<string, (about: never) => unknown>>;

/**
 * Answers what the parent asks over the IPC channel, and ends this process when the parent is gone,
 * however it ended. The channel does not keep the process alive by itself.
 */
export function answerParent(answers: Answers): void {
  process.on('message', (question: Question) => {
    const answer = answers[question.ask] as ((about: unknown) => unknown) | undefined;
    if (answer !== undefined) void reply(question.id, () => answer(question.about));
  });
  process.on('disconnect', () => process.exit(1));
  process.channel?.unref();
}

async function reply(id: number, answer: () => unknown): Promise<void> {
  try {
    process.send?.({ id, value: await answer() });
  } catch (error) {
    process.send?.({ id, trouble: String(error) });
  }
}
