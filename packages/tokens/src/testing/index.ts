export { changedTokens } from './changed-tokens.js';
export {
  evaluateHistory,
  type HistoryBounds,
  stalenessMs,
  type TokenEvent,
  type Violation,
} from './history.js';
export { type SimulatedStream, simulatedStream } from './simulated-stream.js';
export { type SimulatedTime, simulatedTime } from './simulated-time.js';
