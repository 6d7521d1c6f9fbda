import { customSetting, isLoopback, splitList } from '@vestibule/service/settings';

const FORM = 'comma-separated https URLs without a fragment';

/** The setting with the resources that discovery publishes. */
export const protectedResourcesSetting = customSetting<readonly string[]>({
  description:
    'Resource identifiers to publish as `protected_resources` in discovery (RFC 9728 section 4): the APIs that clients may know of. http is for loopback addresses only.',
  form: FORM,
  default: [],
  read: (text) => {
    const identifiers = splitList(text);
    return identifiers.every(isResourceIdentifier)
      ? { value: [...new Set(identifiers)] }
      : { problem: `must be ${FORM}; http is for loopback addresses only` };
  },
});

/** Whether a text is a resource identifier (RFC 9728 section 1.2). */
function isResourceIdentifier(text: string): boolean {
  if (!URL.canParse(text) || text.includes('#')) return false;
  const { protocol, hostname, username, password } = new URL(text);
  const isHttp = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  return isHttp && username === '' && password === '';
}
