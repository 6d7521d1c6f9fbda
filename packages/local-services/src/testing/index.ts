export { type DatabaseTemplate, type LentDatabase, lendDatabase } from './database-copies.js';
