import type { PageMessages } from './messages.js';

/** German. */
export const de: PageMessages = {
  demo: 'Dies ist eine Demo für lokale Tests. Geben Sie kein echtes Passwort ein.',
  logIn: 'Anmelden',
  loginFor: 'Melden Sie sich an, um zu {client} zu gelangen.',
  username: 'Benutzername',
  password: 'Passwort',
  cancel: 'Abbrechen und zurück',
  wrongPassword: 'Der Benutzername oder das Passwort ist falsch.',
  consentTitle: 'Zugriff erlauben?',
  consent: 'Zugriff auf Ihr Konto angefragt von {client}:',
  accessResource: 'Zugriff auf {resource}:',
  confirmAgain: 'Bitte bestätigen Sie, dass Sie mit {client} fortfahren möchten.',
  scopeOpenid: 'Erfahren, wer Sie sind',
  scopeProfile: 'Ihren Namen und Ihr Profil sehen',
  scopeEmail: 'Ihre E-Mail-Adresse sehen',
  scopeAddress: 'Ihre Postanschrift sehen',
  scopePhone: 'Ihre Telefonnummer sehen',
  scopeOffline: 'Zugriff behalten, auch wenn Sie die App nicht verwenden',
  privacyPolicy: 'Datenschutzerklärung',
  terms: 'Nutzungsbedingungen',
  documentHost: 'Diese App wird von dieser Website bereitgestellt:',
  loopbackWarning:
    'Diese App läuft auf Ihrem Gerät. Andere Programme dort können sich als diese App ausgeben. Erlauben Sie den Zugriff nur, wenn Sie sie gerade selbst gestartet haben.',
  destination: 'Unabhängig von Ihrer Wahl gelangen Sie zurück zu {site}.',
  allow: 'Erlauben',
  refuse: 'Nicht erlauben',
  expiredTitle: 'Diese Seite ist abgelaufen',
  expired: 'Gehen Sie zurück zur App und beginnen Sie von vorn.',
  badRequest:
    'Die App hat eine Anfrage gesendet, die wir nicht ausführen können. Gehen Sie zurück zur App und versuchen Sie es noch einmal.',
  tooManyRequests:
    'Es gab zu viele Anmeldeversuche aus Ihrem Netzwerk. Warten Sie eine Minute, gehen Sie dann zurück zur App und versuchen Sie es noch einmal.',
  details: 'Falls das öfter vorkommt, senden Sie diese Angaben an den Betreiber der App:',
  fault: 'Das Problem liegt bei uns. Bitte versuchen Sie es gleich noch einmal.',
};
