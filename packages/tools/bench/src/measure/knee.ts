/** Whether a server sustains a rate, in requests per second. */
export type IsSustained = (requestsPerSecond: number) => Promise<boolean>;

const STEP = 1.15;
const HALVINGS = 3;
/** The search ends below this share of the initial rate. */
const LEAST_SHARE = 1 / 16;
/** A single slow measurement does not count. */
const TRIES = 2;

/**
 * Finds the greatest rate that a server sustains: the rate grows in steps until it is missed twice in a row, and is
 * then searched between the last two steps.
 * @param from a rate that it should sustain; if it does not, the search starts below
 * @throws RangeError when it does not sustain a sixteenth of that either
 */
export async function findKnee(from: number, isSustained: IsSustained): Promise<number> {
  const isSustainedOnRetry = async (rate: number) => {
    for (let tries = 0; tries < TRIES; tries += 1) if (await isSustained(rate)) return true;
    return false;
  };
  let sustained = from;
  while (!(await isSustainedOnRetry(sustained))) {
    if (sustained <= from * LEAST_SHARE)
      throw new RangeError(`${Math.round(sustained)} requests per second are not sustained`);
    sustained /= 2;
  }
  let beyond = sustained * STEP;
  while (await isSustainedOnRetry(beyond)) [sustained, beyond] = [beyond, beyond * STEP];
  for (let halvings = 0; halvings < HALVINGS; halvings += 1) {
    const middle = (sustained + beyond) / 2;
    if (await isSustainedOnRetry(middle)) sustained = middle;
    else beyond = middle;
  }
  return sustained;
}
