import type { Role } from '../../../src/frame/operator.js';
import type { TestConsole } from '../../support/build-test-console.js';

/** Issues an initial access token by the form of the console. */
export async function issuedInitialToken(
  { post }: Pick<TestConsole, 'post'>,
  form: Readonly<Record<string, string>>,
  role: Role = 'admin',
) {
  const { status, text } = await post('/initial-tokens/issue', form, role);
  return {
    status,
    text,
    shortId: /href="\/initial-tokens\/([0-9a-f]{8})"/.exec(text)?.[1] ?? '',
    token: /Initial access token<\/dt><dd><code>([^<]+)<\/code>/.exec(text)?.[1] ?? '',
  };
}
