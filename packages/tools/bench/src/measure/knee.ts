/** Whether a server bears a rate, in requests a second. */
export type IsBorne = (requestsPerSecond: number) => Promise<boolean>;

const STEP = 1.15;
const HALVINGS = 3;
/** Below that share of the rate to begin with there is no knee worth the name. */
const LEAST_SHARE = 1 / 16;
/** One bad moment of the machine is no knee. */
const TRIES = 2;

/**
 * The greatest rate that a server bears: the rate grows step by step until it does not bear it twice in a row, and is
 * then looked for between the last two steps.
 * @param from a rate that it should bear; where it does not, the search begins below
 * @throws RangeError when it does not bear a sixteenth of that either
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
