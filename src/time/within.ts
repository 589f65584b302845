export class TimeoutError extends Error {
  constructor(limit_ms: number) {
    super(`timeout after ${limit_ms} ms`);
    this.name = 'TimeoutError';
  }
}

/** Settles like `promise`, or rejects with TimeoutError after `limit_ms`. */
export async function within<T>(limit_ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(limit_ms)), limit_ms);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
