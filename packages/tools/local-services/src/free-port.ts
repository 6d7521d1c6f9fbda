import { randomInt } from 'node:crypto';
import { BLOCKS, portBlocks } from './port-blocks.js';

/**
 * A free loopback port that no process gets without naming it, that this process has not given out recently, and that no
 * other process on this machine gives out.
 */
export const freePort: () => Promise<number> = portBlocks(randomInt(BLOCKS));
