import { Type } from 'typebox';
import type { SettingsCheck } from '../settings/load-settings.js';
import { parseServerUrl, serverUrlProblem } from '../settings/server-url.js';
import { customSetting } from '../settings/setting.js';

const FORM = 'an https URL without user name, query and fragment';

/** The setting that names the OpenID provider at which end-users log in. */
export const UPSTREAM_ISSUER_SETTING = {
  UPSTREAM_ISSUER: Type.Optional(
    customSetting<URL>({
      description:
        'Issuer of the OpenID provider at which end-users log in, in place of the demonstration login. It may be on an internal network. http is for loopback addresses and hosts in EGRESS_ALLOW_HOSTS only. authorization and logout must use the same value.',
      form: FORM,
      read: (text) => {
        const url = parseServerUrl(text);
        return url === undefined || url.search !== '' ? { problem: `must be ${FORM}` } : { value: url };
      },
    }),
  ),
};

/** Settings that the check reads. */
interface CheckedUpstream {
  readonly UPSTREAM_ISSUER?: URL | undefined;
  readonly EGRESS_ALLOW_HOSTS: readonly string[];
}

/** Refuses a host that cannot be allowed, and an http URL unless its host is a loopback address or in EGRESS_ALLOW_HOSTS. */
export const checkUpstreamIssuer: SettingsCheck<CheckedUpstream> = ({
  UPSTREAM_ISSUER: issuer,
  EGRESS_ALLOW_HOSTS: allowHosts,
}) => {
  const problem = issuer && serverUrlProblem(issuer, allowHosts);
  return problem === undefined ? [] : [{ name: 'UPSTREAM_ISSUER', problem }];
};
