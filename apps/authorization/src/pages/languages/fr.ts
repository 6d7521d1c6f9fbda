import type { PageMessages } from './messages.js';

/** French. */
export const fr: PageMessages = {
  demo: 'Ceci est une démonstration pour des tests locaux. Ne saisissez pas de vrai mot de passe.',
  logIn: 'Se connecter',
  loginFor: 'Connectez-vous pour continuer vers {client}.',
  username: 'Nom d’utilisateur',
  password: 'Mot de passe',
  cancel: 'Annuler et revenir',
  wrongPassword: 'Le nom d’utilisateur ou le mot de passe est incorrect.',
  consentTitle: 'Autoriser l’accès\u00a0?',
  consent: 'Accès à votre compte demandé par {client}\u00a0:',
  accessResource: 'Accéder à {resource}\u00a0:',
  confirmAgain: 'Confirmez que vous voulez continuer vers {client}.',
  scopeOpenid: 'Savoir qui vous êtes',
  scopeProfile: 'Voir votre nom et votre profil',
  scopeEmail: 'Voir votre adresse e-mail',
  scopeAddress: 'Voir votre adresse postale',
  scopePhone: 'Voir votre numéro de téléphone',
  scopeOffline: 'Conserver l’accès lorsque vous n’utilisez pas l’application',
  privacyPolicy: 'Règles de confidentialité',
  terms: 'Conditions d’utilisation',
  documentHost: 'Cette application est publiée par ce site web :',
  loopbackWarning:
    'Cette application s’exécute sur votre appareil, où d’autres programmes peuvent se faire passer pour elle. N’autorisez l’accès que si vous venez de la lancer vous-même.',
  destination: 'Quel que soit votre choix, vous reviendrez à {site}.',
  allow: 'Autoriser',
  refuse: 'Ne pas autoriser',
  expiredTitle: 'Cette page a expiré',
  expired: 'Revenez à l’application et recommencez.',
  badRequest:
    'L’application a envoyé une demande que nous ne pouvons pas traiter. Revenez à l’application et réessayez.',
  tooManyRequests:
    'Il y a eu trop de tentatives de connexion depuis votre réseau. Patientez une minute, puis revenez à l’application et réessayez.',
  details: 'Si le problème persiste, envoyez ces informations aux responsables de l’application\u00a0:',
  fault: 'Le problème vient de chez nous. Réessayez dans un instant.',
};
