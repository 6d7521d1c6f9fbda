import type { Language } from './messages.js';

/** German. */
export const de: Language = {
  direction: 'ltr',
  messages: {
    questionWithClient: 'Auch bei {provider} abmelden?',
    question: 'Bei {provider} abmelden?',
    sentByClient: 'Sie kommen von {client}, um sich abzumelden.',
    consequence:
      'Alle Anwendungen, bei denen Sie über {provider} angemeldet sind, werden benachrichtigt, damit sie Sie ebenfalls abmelden.',
    accept: 'Ja, abmelden',
    decline: 'Nein, angemeldet bleiben',
    anotherLogin: 'Die Anwendung meint eine andere Anmeldung als die in diesem Browser.',
    badHint:
      'Die Anfrage der Anwendung konnte nicht geprüft werden. Sie werden nicht zu ihr zurückgeschickt.',
    redirectRefused:
      'Die Anwendung hat nicht nachgewiesen, dass die genannte Adresse ihr gehört. Sie werden nicht dorthin geschickt.',
    answeredBefore:
      'Sie haben diese Frage schon beantwortet und sind noch angemeldet. Sie können noch einmal antworten.',
    questionChanged: 'Diese Seite war veraltet. Bitte antworten Sie noch einmal.',
    endedTitle: 'Sie sind abgemeldet',
    ended: 'Ihre Anmeldung bei {provider} ist beendet.',
    leftTitle: 'Sie sind bei {client} abgemeldet',
    left: 'Bei {provider} sind Sie weiterhin angemeldet.',
    keptTitle: 'Sie sind weiterhin angemeldet',
    kept: 'Ihre Anmeldung bei {provider} bleibt bestehen.',
    nobodyTitle: 'Sie sind nicht angemeldet',
    nobody: 'In diesem Browser gibt es keine Anmeldung bei {provider}, oder sie ist schon beendet.',
    telling: 'Die Anwendungen werden benachrichtigt …',
    allTold: 'Alle Anwendungen haben geantwortet.',
    someSilent: 'Einige Anwendungen haben nicht geantwortet.',
    waiting: 'wartet',
    told: 'hat geantwortet',
    silent: 'keine Antwort',
    goOn: 'Weiter zu {client}',
    mayClose: 'Sie können dieses Fenster schließen.',
    unnamedClient: 'der Anwendung',
    oneMoreStepTitle: 'Noch ein Schritt',
    oneMoreStep: 'Eine Anwendung hat Sie zum Abmelden hierher geschickt.',
    continue: 'Weiter',
    errorTitle: 'Das hat nicht geklappt',
    badRequest:
      'Die Anfrage ist nicht lesbar. Gehen Sie zur Anwendung zurück und versuchen Sie es noch einmal.',
    badMethod: 'Diese Seite kann so nicht aufgerufen werden.',
    fault:
      'Hier ist etwas schiefgegangen; über Ihre Anmeldung lässt sich nichts sagen. Versuchen Sie es gleich noch einmal.',
  },
};
