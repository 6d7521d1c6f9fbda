import { type Closers, closing } from '@vestibule/local-services';
import { type House, type HouseOptions, openHouse } from '../stage/house.js';
import type { Stage } from '../stage/stage.js';

/** What a trial has at its disposal. */
export interface HouseTrial<Result> {
  /** Makes what the instances need besides the stage, before they are started. */
  readonly prepare?: (stage: Stage, toEnd: Closers) => Promise<HouseOptions>;
  readonly run: (house: House) => Promise<Result>;
}

/** Runs something with two fresh instances and an empty Redis, and ends them. */
export async function inHouse<Result>(stage: Stage, { prepare, run }: HouseTrial<Result>): Promise<Result> {
  return closing(async (toEnd) => {
    await stage.redis.admin.flushall();
    const house = await openHouse(stage, await prepare?.(stage, toEnd));
    toEnd.add(house.close);
    return await run(house);
  });
}
