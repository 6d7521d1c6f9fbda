/** Sentences about actions, on the pages to which they lead. */
export const NOTICES: Readonly<Record<string, string>> = {
  ended: 'The session is ended, and its applications are being notified.',
  'all-ended': 'All sessions are ended, and their applications are being notified.',
  revoked: 'Everything of the end-user is revoked.',
  'tokens-revoked': 'Every token of the session is revoked.',
  queued: 'The notification is queued for its next attempt.',
};
