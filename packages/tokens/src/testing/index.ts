export { type HistoryBounds, judgeHistory, stalenessMs, type TokenEvent, type Violation } from './history.js';
