import {
  customSetting,
  parseServerUrl,
  type SettingsCheck,
  serverUrlProblem,
} from '@vestibule/service/settings';
import { Type } from 'typebox';

const FORM = 'an https URL without user name and fragment';

/** Settings of the webhook. */
export const WEBHOOK_SETTINGS = {
  CHANGES_WEBHOOK_URL: Type.Optional(
    customSetting<URL>({
      description:
        'Address of your server that sessions, tokens and clients that ended are sent to, as Security Event Tokens (RFC 8935). It may be on an internal network. http is for loopback addresses and hosts in EGRESS_ALLOW_HOSTS only. All instances must use the same value.',
      form: FORM,
      read: (text) => {
        const url = parseServerUrl(text);
        return url === undefined ? { problem: `must be ${FORM}` } : { value: url };
      },
    }),
  ),
};

/** Settings that the check reads. */
interface CheckedWebhook {
  readonly CHANGES_WEBHOOK_URL?: URL | undefined;
  readonly EGRESS_ALLOW_HOSTS: readonly string[];
}

/** Refuses a host that cannot be allowed, and an http URL unless its host is a loopback address or in EGRESS_ALLOW_HOSTS. */
export const checkWebhookSettings: SettingsCheck<CheckedWebhook> = ({
  CHANGES_WEBHOOK_URL: url,
  EGRESS_ALLOW_HOSTS,
}) => {
  const problem = url && serverUrlProblem(url, EGRESS_ALLOW_HOSTS);
  return problem === undefined ? [] : [{ name: 'CHANGES_WEBHOOK_URL', problem }];
};
