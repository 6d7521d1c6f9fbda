export { type FrozenClock, frozenClock } from './frozen-clock.js';
export { seededRandom } from './seeded-random.js';
