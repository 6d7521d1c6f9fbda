/** Characters of a portion. */
const PORTION_LENGTH = 512 * 1024;
/** How long a response waits at most while no further one comes, in milliseconds. */
const MAX_PAUSE_MS = 1_000;

/** When responses are given. */
export interface PortionOptions {
  /** Characters of responses that wait at most. Default: one portion. */
  readonly maxWaiting?: number;
  /** How long a response waits at most while no further one comes, in milliseconds. Default 1,000; `Infinity`: any time. */
  readonly maxPauseMs?: number;
}

/** Characters of responses that wait at most for the end of a request whose length is known. */
const MAX_HELD_BACK = 32 * 1024 * 1024;

/**
 * For a request whose length is known, as proxies send it that have received all of it: responses wait until the end of the
 * request, unless they are very many.
 */
export const UNTIL_END: PortionOptions = { maxWaiting: MAX_HELD_BACK, maxPauseMs: Number.POSITIVE_INFINITY };

/**
 * Joins the responses to parts of a request, so that most requests are complete when the first response is sent: many
 * clients and proxies send no more of a request once its response begins. Portions are given when many responses wait, when
 * no further response comes for a while, or at the end.
 */
export async function* inPortions(
  responses: AsyncGenerator<string, void>,
  { maxWaiting = PORTION_LENGTH, maxPauseMs = MAX_PAUSE_MS }: PortionOptions = {},
): AsyncGenerator<string, void> {
  let waiting: string[] = [];
  let length = 0;
  const add = (response: string) => {
    const open = waiting.at(-1);
    if (open === undefined || open.length >= PORTION_LENGTH) waiting.push(response);
    else waiting[waiting.length - 1] = open + response;
    length += response.length;
  };
  const taken = () => {
    const portions = waiting;
    waiting = [];
    length = 0;
    return portions;
  };
  let next = responses.next();
  try {
    for (;;) {
      const result = await (length === 0 ? next : orPause(next, maxPauseMs));
      if (result === 'pause') {
        // A fault is reported after this portion.
        next.catch(() => undefined);
        yield* taken();
        continue;
      }
      if (result.done) break;
      add(result.value);
      if (length >= maxWaiting) yield* taken();
      next = responses.next();
    }
    yield* taken();
  } finally {
    await responses.return();
  }
}

async function orPause<Result>(result: Promise<Result>, maxPauseMs: number): Promise<Result | 'pause'> {
  if (maxPauseMs === Number.POSITIVE_INFINITY) return result;
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
