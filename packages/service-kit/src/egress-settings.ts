import { parseAllowedHosts } from '@vestibule/protocol';
import { customSetting, type Reading, splitList } from './setting.js';

/** The setting of a service that fetches what others registered. */
export const EGRESS_SETTINGS = {
  EGRESS_ALLOW_HOSTS: customSetting<readonly string[]>({
    description:
      'Hosts, with or without port, that are excepted from the rules on outside addresses. For development alone.',
    form: 'comma-separated host or host:port',
    default: [],
    read: readHosts,
  }),
};

function readHosts(text: string): Reading<readonly string[]> {
  const hosts = splitList(text);
  try {
    parseAllowedHosts(hosts);
    return { value: hosts };
  } catch {
    return { problem: 'must be comma-separated host or host:port' };
  }
}
