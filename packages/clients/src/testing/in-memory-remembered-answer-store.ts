import { constantTimeEquals, type Digest } from '@vestibule/crypto';
import type { RememberedAnswer, RememberedAnswerStore } from '../remembered-answer.js';

/** Remembered answers in memory, for the tests of the operations. */
export interface InMemoryRememberedAnswerStore extends RememberedAnswerStore {
  has(digest: Digest): boolean;
  add(answer: RememberedAnswer): void;
}

/** An empty store. */
export function inMemoryRememberedAnswerStore(): InMemoryRememberedAnswerStore {
  const answers: RememberedAnswer[] = [];
  return {
    has: (wanted) => answers.some(({ digest }) => constantTimeEquals(digest, wanted)),
    add: (answer) => void answers.push(answer),
    find: async (candidates, now) =>
      answers.find(
        ({ digest, expiresAt }) =>
          expiresAt > now && candidates.some((candidate) => constantTimeEquals(candidate, digest)),
      ),
  };
}
