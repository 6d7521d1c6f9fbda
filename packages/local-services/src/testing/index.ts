export { type DatabaseTemplate, type LentDatabase, lendDatabase } from './database-copies.js';
export { foreignSql, type Sql } from './foreign-sql.js';
