export { type MemoryLog, memoryLog } from './memory-log.js';
export { type RawAnswer, rawExchange } from './raw-exchange.js';
export { sampleErrors } from './sample-errors.js';
export { SAMPLE_MEDIA_TYPES, type SampleServer, sampleServer } from './sample-server.js';
