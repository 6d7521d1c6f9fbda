import { expect } from 'vitest';

/** Matches an error with this code, and with this description if one is given. */
export function failure(code: string, description?: string): unknown {
  return expect.objectContaining({ code, ...(description !== undefined && { description }) });
}
