export { createTestDatabase, type TestDatabase, type TestServices, testRedisUrl } from './test-services.js';
