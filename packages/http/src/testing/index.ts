export { NAMED_AS_A_THUMBPRINT, TEST_CERTIFICATE, testCertificateDer } from './client-certificate.js';
export { committedDocument } from './committed-document.js';
export { documentedResponse, type Exchange, requireDocumented } from './documented-responses.js';
export { type MemoryLog, memoryLog } from './memory-log.js';
export { type RawResponse, rawExchange } from './raw-exchange.js';
export { sampleErrors } from './sample-errors.js';
export { SAMPLE_MEDIA_TYPES, type SampleServer, sampleServer } from './sample-server.js';
export { type Call, JSON_HEADERS, jsonRequest, NO_STORE, type Seen, seenResponse } from './seen-response.js';
export { operationIds, requireSoundDocument } from './sound-document.js';
