import type { PageMessages } from './messages.js';

/** Dutch. */
export const nl: PageMessages = {
  demo: 'Dit is een demo voor lokaal testen. Vul geen echt wachtwoord in.',
  logIn: 'Inloggen',
  loginFor: 'Log in om door te gaan naar {client}.',
  username: 'Gebruikersnaam',
  password: 'Wachtwoord',
  cancel: 'Annuleren en terug',
  wrongPassword: 'De gebruikersnaam of het wachtwoord is onjuist.',
  consentTitle: 'Toegang toestaan?',
  consent: 'Toegang tot je account gevraagd door {client}:',
  accessResource: 'Toegang tot {resource}:',
  confirmAgain: 'Bevestig dat je wilt doorgaan naar {client}.',
  scopeOpenid: 'Weten wie je bent',
  scopeProfile: 'Je naam en profiel bekijken',
  scopeEmail: 'Je e-mailadres bekijken',
  scopeAddress: 'Je postadres bekijken',
  scopePhone: 'Je telefoonnummer bekijken',
  scopeOffline: 'Toegang houden terwijl je de app niet gebruikt',
  privacyPolicy: 'Privacybeleid',
  terms: 'Servicevoorwaarden',
  documentHost: 'Deze app wordt gepubliceerd door deze website:',
  loopbackWarning:
    'Deze app draait op uw apparaat, waar andere programma’s zich als deze app kunnen voordoen. Sta toegang alleen toe als u de app zojuist zelf hebt gestart.',
  destination: 'Wat je ook kiest, je gaat terug naar {site}.',
  allow: 'Toestaan',
  refuse: 'Niet toestaan',
  expiredTitle: 'Deze pagina is verlopen',
  expired: 'Ga terug naar de app en begin opnieuw.',
  badRequest:
    'De app heeft een verzoek gestuurd dat we niet kunnen uitvoeren. Ga terug naar de app en probeer het opnieuw.',
  tooManyRequests:
    'Er zijn te veel inlogpogingen vanaf je netwerk gedaan. Wacht een minuut, ga terug naar de app en probeer het opnieuw.',
  details: 'Blijft dit gebeuren? Stuur deze gegevens dan naar de beheerder van de app:',
  fault: 'Het probleem ligt bij ons. Probeer het zo meteen opnieuw.',
};
