/** Characters of responses that wait at most. */
const MAX_WAITING = 512 * 1024;
/** How long a response waits at most while no further one comes, in milliseconds. */
const MAX_PAUSE_MS = 1_000;

/**
 * Joins the responses to parts of a request, so that most requests are complete when the first response is sent: many
 * clients and proxies send no more of a request once its response begins. A portion is given when it is large, when
 * no further response comes for a while, or at the end.
 */
export async function* inPortions(
  responses: AsyncGenerator<string, void>,
  { maxWaiting = MAX_WAITING, maxPauseMs = MAX_PAUSE_MS } = {},
): AsyncGenerator<string, void> {
  let waiting = '';
  let next = responses.next();
  try {
    for (;;) {
      const result = await (waiting === '' ? next : orPause(next, maxPauseMs));
      if (result === 'pause') {
        // A fault is reported after this portion.
        next.catch(() => undefined);
        yield waiting;
        waiting = '';
        continue;
      }
      if (result.done) break;
      waiting += result.value;
      if (waiting.length >= maxWaiting) {
        yield waiting;
        waiting = '';
      }
      next = responses.next();
    }
    if (waiting !== '') yield waiting;
  } finally {
    await responses.return();
  }
}

async function orPause<Result>(result: Promise<Result>, maxPauseMs: number): Promise<Result | 'pause'> {
  let timer: NodeJS.Timeout | undefined;
  const pause = new Promise<'pause'>((resolve) => {
    timer = setTimeout(() => resolve('pause'), maxPauseMs);
  });
  try {
    return await Promise.race([result, pause]);
  } finally {
    clearTimeout(timer);
  }
}
