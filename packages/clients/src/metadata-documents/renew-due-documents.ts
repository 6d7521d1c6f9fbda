import { nowSeconds, ThrottledError } from '@vestibule/protocol';
import { isPermittedHost } from './document-hosts.js';
import type { DocumentLease } from './document-record.js';
import { blockedDocument, DocumentRefusal, documentOfOtherHost } from './document-refusal.js';
import { type DocumentValidationDeps, recordRefusal } from './validate-document.js';

/** Dependencies of validating documents without requests for them. */
export interface DueDocumentDeps extends DocumentValidationDeps {
  /** Validates a document that is leased to this process. */
  readonly validate: (lease: DocumentLease) => Promise<unknown>;
  readonly onProblem: (error: unknown) => void;
}

/** Number of documents that are validated at the same time; all of them within their lease. */
const AT_ONCE = 4;

/** Maximum number of documents in one run. */
const MAX_IN_RUN = 100;

/** Pause after a refusal before a document is validated again without a request for it. */
const PAUSE_SECONDS = 3_600;

/**
 * Validates used documents whose lifetime is over, so that one that its host has withdrawn ends its client by the rule of
 * the operator even if no request names it any more. At most 100 in a run, those first that were not tried for the
 * longest time. Of parallel runs in several processes, each validates other documents.
 */
export async function renewDueDocuments(deps: DueDocumentDeps, leaseSeconds: number): Promise<void> {
  const { store, settings, registration, onProblem } = deps;
  for (let begun = 0; begun < MAX_IN_RUN; begun += AT_ONCE) {
    const leases = await store.leaseDue({
      now: nowSeconds(registration.clock),
      seconds: leaseSeconds,
      limit: AT_ONCE,
      pauseSeconds: PAUSE_SECONDS,
      withdrawnSeconds: settings.withdrawnSeconds,
    });
    await Promise.all(
      leases.map((lease) =>
        renew(deps, lease).catch((error: unknown) => {
          if (!(error instanceof DocumentRefusal || error instanceof ThrottledError)) onProblem(error);
        }),
      ),
    );
    if (leases.length < AT_ONCE) return;
  }
}

/** A document that is blocked, or on a host that is no longer permitted, is not fetched. */
async function renew(deps: DueDocumentDeps, lease: DocumentLease): Promise<void> {
  const { isBlocked } = await deps.store.find(lease.url);
  if (isBlocked) await recordRefusal(deps, lease, blockedDocument().problem);
  else if (isPermittedHost(deps.settings.hosts, lease.url)) await deps.validate(lease);
  else await recordRefusal(deps, lease, documentOfOtherHost().problem);
}
