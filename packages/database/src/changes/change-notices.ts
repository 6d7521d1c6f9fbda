import { type OpenNotices, openNotices } from '../stream/notices.js';

/** The channel that the trigger of the log notifies. */
const CHANGE_CHANNEL = 'vestibule_change';

/** Options of {@link openChangeNotices}. */
export interface ChangeNoticesOptions {
  /** Called for each notice, and each time that it listens. */
  readonly onNotice: () => void;
  /** Called with the reason when listening fails, for the log. */
  readonly onProblem: (error: unknown) => void;
}

/** Listens for new changes, and reconnects until it is closed. */
export function openChangeNotices(
  connection: { readonly url: string; readonly applicationName: string },
  options: ChangeNoticesOptions,
): OpenNotices {
  return openNotices({ ...connection, channel: CHANGE_CHANNEL, ...options });
}
