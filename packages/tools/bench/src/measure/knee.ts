/** Whether a server sustains a rate, in requests per second. */
export type IsBorne = (requestsPerSecond: number) => Promise<boolean>;

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
export async function findKnee(from: number, isBorne: IsBorne): Promise<number> {
  const isBorneAtLast = async (rate: number) => {
    for (let tries = 0; tries < TRIES; tries += 1) if (await isBorne(rate)) return true;
    return false;
  };
  let borne = from;
  while (!(await isBorneAtLast(borne))) {
    if (borne <= from * LEAST_SHARE)
      throw new RangeError(`${Math.round(borne)} requests a second are too many`);
    borne /= 2;
  }
  let beyond = borne * STEP;
  while (await isBorneAtLast(beyond)) [borne, beyond] = [beyond, beyond * STEP];
  for (let halvings = 0; halvings < HALVINGS; halvings += 1) {
    const middle = (borne + beyond) / 2;
    if (await isBorneAtLast(middle)) borne = middle;
    else beyond = middle;
  }
  return borne;
}
