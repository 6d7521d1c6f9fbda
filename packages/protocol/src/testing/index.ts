export { type FrozenClock, frozenClock } from './frozen-clock.js';
export { explainedReason, refusalReason } from './refusal.js';
export { seededRandom } from './seeded-random.js';
