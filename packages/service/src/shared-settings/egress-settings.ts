import { parseAllowedHosts } from '@vestibule/protocol';
import { customSetting, type Reading, splitList } from '../settings/setting.js';

/** Setting of services that fetch URLs registered by clients or entities. */
export const EGRESS_SETTINGS = {
  EGRESS_ALLOW_HOSTS: customSetting<readonly string[]>({
    description:
      'Hosts, with or without port, that are exempt from the outbound address rules. For development only.',
    form: 'comma-separated list of host or host:port',
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
    return { problem: 'must be a comma-separated list of host or host:port' };
  }
}
