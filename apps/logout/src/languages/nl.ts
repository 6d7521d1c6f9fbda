import type { LogoutMessages } from './messages.js';

/** Dutch. */
export const nl: LogoutMessages = {
  question: 'Uitloggen bij {provider}?',
  questionWithClient: 'Ook uitloggen bij {provider}?',
  sentByClient: 'Je logt uit bij {client}.',
  consequence: 'We vragen ook alle apps waarbij je met {provider} bent ingelogd om je uit te loggen.',
  accept: 'Ja, uitloggen',
  decline: 'Nee, ingelogd blijven',
  declineWithClient: 'Nee, alleen uitloggen bij {client}',
  anotherLogin: 'Dit verzoek is voor een ander account dan het account waarmee je bent ingelogd.',
  badHint: 'We konden dit verzoek niet controleren. Daarom sturen we je niet terug naar de app.',
  redirectRefused:
    'We konden de pagina waar de app je naartoe wil sturen niet controleren. Daarom blijf je hier.',
  redirectNotRegistered:
    'Het webadres waarnaar je terug zou gaan, is niet geregistreerd voor {client}. Daarom blijf je hier.',
  answeredBefore: 'Je hebt al geantwoord en bent nog ingelogd. Je kunt opnieuw kiezen.',
  questionChanged: 'Deze pagina was verouderd. Kies opnieuw.',
  endedTitle: 'Je bent uitgelogd',
  ended: 'Je bent niet meer ingelogd bij {provider}.',
  stillTitle: 'Je bent nog ingelogd bij {provider}',
  kept: 'Er is niets veranderd.',
  left: 'Je bent alleen niet meer ingelogd bij {client}.',
  notLoggedInTitle: 'Je bent niet ingelogd',
  notLoggedIn: 'Je bent in deze browser niet ingelogd bij {provider}.',
  asking: 'We vragen je apps om je uit te loggen…',
  asked: 'We hebben deze apps gevraagd je uit te loggen. Ben je in een app nog ingelogd? Log dan daar uit.',
  someFailed:
    'Sommige apps waren niet bereikbaar. Misschien ben je daar nog ingelogd. Open die apps en log daar uit.',
  allConfirmed: 'Al deze apps hebben bevestigd dat je bent uitgelogd.',
  waiting: 'Even geduld…',
  notified: 'Gevraagd je uit te loggen',
  confirmed: 'Uitgelogd',
  retrying: 'We blijven het proberen',
  failed: 'Niet bereikbaar',
  oneMoreStepTitle: 'Nog één stap',
  oneMoreStep: 'Een app heeft je hierheen gestuurd om uit te loggen.',
  badRequest: 'We konden dit verzoek niet lezen. Ga terug naar de app en probeer het opnieuw.',
  fault: 'Het probleem ligt bij ons. Misschien ben je nog ingelogd. Probeer het zo meteen opnieuw.',
  tryAgain: 'Naar de uitlogpagina',
};
