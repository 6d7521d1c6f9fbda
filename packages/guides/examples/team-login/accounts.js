import { scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** Salt and scrypt of the passwords lovelace and hopper. */
const ACCOUNTS = new Map([
  ['ada', ['VVQgoYUcogioc_3S9aXMBw', 'Z0nZlJLzMt2wOxKhlTyYGcr81csM6xtTcZN8Oqbno4I']],
  ['grace', ['fvmbKsbFUXHc1xmPqk-w0g', 'hBJ3rRmPMLQVkJtqqOEv3OzcGy0XRj9IjGauAiJUWZc']],
]);

/** An unknown name takes as long as a wrong password. */
export async function checkPassword(name, password) {
  const [salt, hash] = ACCOUNTS.get(name) ?? ACCOUNTS.get('ada');
  const derived = await promisify(scrypt)(String(password), salt, 32);
  return timingSafeEqual(derived, Buffer.from(hash, 'base64url')) && ACCOUNTS.has(name);
}
