import { randomBytes } from 'node:crypto';

/**
 * A generator of request ids that are unique in practice across processes and never come from the caller: a random
 * prefix per process and a counter.
 */
export function requestIds(): () => string {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}
