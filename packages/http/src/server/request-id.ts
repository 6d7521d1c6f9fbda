import { randomBytes } from 'node:crypto';

/**
 * Creates a generator of request ids: a random prefix per process and a counter. The ids are practically unique across
 * processes and never come from the client.
 */
export function requestIds(): () => string {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}
