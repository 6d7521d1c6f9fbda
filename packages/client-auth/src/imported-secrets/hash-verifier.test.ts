import { ThrottledError } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import { hashVerifier } from './hash-verifier.js';

// Of `short`: slow enough that further requests arrive while it is verified.
const HASH = 'pbkdf2_sha256$1000000$pxVNnqja3OHKdRA6Q8Nreo$R4qEYphgzmPcvdRNvsq/JtZ7ottFpInUl/c2Ha5A+TQ=';
const QUICK = 'pbkdf2_sha256$1000$pinchofsalt$7BP7y/4OMF67091JexqspDXnB1Op0zLPGHTbK01p+/w=';

it('verifies the same secret and hash once for all parallel requests', async () => {
  const verifier = hashVerifier({ running: 1, waiting: 0, ofOneHash: 1 });
  const responses = await Promise.all(Array.from({ length: 100 }, () => verifier.matches('short', HASH)));
  expect(new Set(responses)).toEqual(new Set([true]));
  expect(await verifier.matches('short', QUICK)).toBe(true);
});

// An attacker who knows clients with an unused imported secret could otherwise use up the CPU.
it('refuses requests beyond its slots, verifies waiting ones in order, and has all slots again afterwards', async () => {
  const verifier = hashVerifier({ running: 1, waiting: 2, ofOneHash: 5 });
  for (let round = 0; round < 2; round += 1) {
    const order: string[] = [];
    const requested = ['a', 'b', 'short', 'c', 'd'].map(async (secret) => {
      const response = await verifier.matches(secret, HASH).catch((error: unknown) => error);
      order.push(secret);
      return response;
    });
    const [first, second, third, ...refused] = await Promise.all(requested);
    expect([first, second, third]).toEqual([false, false, true]);
    for (const refusal of refused) expect(refusal).toBeInstanceOf(ThrottledError);
    expect(order.slice(2)).toEqual(['a', 'b', 'short']);
  }
});

it('leaves slots for other hashes, however many secrets are guessed for one', async () => {
  const verifier = hashVerifier({ running: 1, waiting: 3, ofOneHash: 2 });
  const guesses = Array.from({ length: 20 }, (_, index) =>
    verifier.matches(`guess ${index}`, HASH).then(
      () => 'evaluated',
      (error: unknown) => error instanceof ThrottledError && 'throttled',
    ),
  );
  expect(await verifier.matches('short', QUICK)).toBe(true);
  const outcomes = await Promise.all(guesses);
  expect(outcomes.filter((outcome) => outcome === 'evaluated')).toHaveLength(2);
  expect(outcomes.filter((outcome) => outcome === 'throttled')).toHaveLength(18);
  expect(await verifier.matches('short', HASH)).toBe(true);
});

it('releases its slot if a stored hash cannot be read', async () => {
  const verifier = hashVerifier({ running: 1, waiting: 0, ofOneHash: 1 });
  for (let attempt = 0; attempt < 3; attempt += 1)
    await expect(verifier.matches('short', 'broken')).rejects.toThrow(TypeError);
  expect(await verifier.matches('short', QUICK)).toBe(true);
});
