import type { LogoutMessages } from './messages.js';

/** German. */
export const de: LogoutMessages = {
  question: 'Bei {provider} abmelden?',
  questionWithClient: 'Auch bei {provider} abmelden?',
  sentByClient: 'Sie melden sich bei {client} ab.',
  consequence:
    'Wir bitten auch alle Apps, bei denen Sie sich mit {provider} angemeldet haben, Sie abzumelden.',
  accept: 'Ja, abmelden',
  decline: 'Nein, angemeldet bleiben',
  declineWithClient: 'Nein, nur bei {client} abmelden',
  anotherLogin: 'Diese Anfrage gehört zu einem anderen Konto als dem, mit dem Sie angemeldet sind.',
  badHint: 'Wir konnten diese Anfrage nicht überprüfen. Deshalb leiten wir Sie nicht zur App zurück.',
  redirectRefused:
    'Wir konnten die Seite, zu der die App Sie weiterleiten möchte, nicht überprüfen. Deshalb bleiben Sie hier.',
  redirectNotRegistered:
    'Die Webadresse, zu der Sie zurückkehren sollen, ist bei {client} nicht registriert. Deshalb bleiben Sie hier.',
  answeredBefore:
    'Sie haben diese Frage schon beantwortet und sind noch angemeldet. Sie können noch einmal wählen.',
  questionChanged: 'Diese Seite war nicht mehr aktuell. Bitte wählen Sie noch einmal.',
  endedTitle: 'Sie sind abgemeldet',
  ended: 'Sie sind nicht mehr bei {provider} angemeldet.',
  stillTitle: 'Sie sind weiterhin bei {provider} angemeldet',
  kept: 'Es hat sich nichts geändert.',
  left: 'Nur Ihre Anmeldung bei {client} wurde beendet.',
  notLoggedInTitle: 'Sie sind nicht angemeldet',
  notLoggedIn: 'Sie sind in diesem Browser nicht bei {provider} angemeldet.',
  asking: 'Ihre Apps werden gebeten, Sie abzumelden …',
  asked:
    'Wir haben diese Apps gebeten, Sie abzumelden. Falls Sie bei einer davon noch angemeldet sind, melden Sie sich bitte dort ab.',
  someFailed:
    'Einige Apps waren nicht erreichbar. Dort sind Sie möglicherweise noch angemeldet. Öffnen Sie diese Apps und melden Sie sich dort ab.',
  allConfirmed: 'Alle diese Apps haben bestätigt, dass Sie abgemeldet sind.',
  waiting: 'Bitte warten …',
  notified: 'Abmeldung angefragt',
  confirmed: 'Abgemeldet',
  retrying: 'Wird weiter versucht',
  failed: 'Nicht erreicht',
  oneMoreStepTitle: 'Noch ein Schritt',
  oneMoreStep: 'Eine App hat Sie zum Abmelden hierher geleitet.',
  badRequest:
    'Wir konnten diese Anfrage nicht verarbeiten. Gehen Sie zurück zur App und versuchen Sie es noch einmal.',
  fault:
    'Das Problem liegt bei uns. Möglicherweise sind Sie noch angemeldet. Bitte versuchen Sie es gleich noch einmal.',
  tryAgain: 'Zur Abmeldeseite',
};
