/** A question from the process that started this one. */
interface Question {
  readonly id: number;
  readonly name: string;
  readonly argument: unknown;
}

/** Functions that answer questions, by name; they may return promises. */
export type Answers = Readonly<Record<string, (argument: never) => unknown>>;

/**
 * Answers what the parent process asks over the IPC channel, and ends this process when the parent
 * has ended. The channel does not keep the process alive.
 */
export function answerParent(answers: Answers): void {
  process.on('message', (question: Question) => {
    const answer = answers[question.name] as ((argument: unknown) => unknown) | undefined;
    if (answer !== undefined) void reply(question.id, () => answer(question.argument));
  });
  process.on('disconnect', () => process.exit(1));
  process.channel?.unref();
}

/** Prints a line and answers the parent process until it stops this one. */
export function serveParent(answers: Answers): void {
  answerParent(answers);
  process.channel?.ref();
  console.log('ready');
}

async function reply(id: number, answer: () => unknown): Promise<void> {
  try {
    process.send?.({ id, value: await answer() });
  } catch (error) {
    process.send?.({ id, error: String(error) });
  }
}
