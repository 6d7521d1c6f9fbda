import { readFileSync } from 'node:fs';
import process from 'node:process';

const write = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

/** Reports the version of the installed library. */
export function reportVersion(library) {
  const { version } = JSON.parse(readFileSync(`node_modules/${library}/package.json`, 'utf8'));
  write({ version });
}

/** Reports the version of a server. */
export function reportVersionText(version) {
  write({ version });
}

/** Runs a step and reports it. Resolves with its result, or with nothing where it failed. */
export async function step(name, work) {
  try {
    const result = await work();
    write({ step: name, worked: true });
    return result;
  } catch (error) {
    write({ step: name, worked: false, note: noteOf(error) });
    return undefined;
  }
}

/** Runs a step that the server refuses with a documented sentence, and reports that sentence. */
export async function refusedStep(name, work, sentence) {
  try {
    await work();
    write({ step: name, worked: true });
  } catch (error) {
    const note = noteOf(error);
    write({ step: name, worked: false, ...(sentence.test(note) ? { refusal: note } : { note }) });
  }
}

/** Opens an address in the browser and resolves with the final address and the text of that page. */
export async function visit(url, { user = 'alice', session = 'browser' } = {}) {
  const response = await fetch(`${process.env.BROWSER_URL}/visit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: String(url), session, user }),
  });
  return response.json();
}

/** Fails unless the condition holds. */
export function ensure(isSo, sentence) {
  if (!isSo) throw new Error(sentence);
}

/** The message of the server, where the library exposes it. */
function noteOf(error) {
  const challenge = Array.isArray(error.cause) ? error.cause[0]?.parameters : undefined;
  const { error: code = challenge?.error, error_description: description = challenge?.error_description } =
    error;
  return [
    ...(code === undefined ? [] : [`error=${code}`]),
    ...(description === undefined ? [] : [`error_description=${description}`]),
    ...(code === undefined ? [error.message] : []),
  ].join(', ');
}
