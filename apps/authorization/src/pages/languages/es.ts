import type { PageMessages } from './messages.js';

/** Spanish. */
export const es: PageMessages = {
  demo: 'Esta es una demostración para pruebas locales. No escribas una contraseña real.',
  logIn: 'Iniciar sesión',
  loginFor: 'Inicia sesión para ir a {client}.',
  username: 'Nombre de usuario',
  password: 'Contraseña',
  cancel: 'Cancelar y volver',
  wrongPassword: 'El nombre de usuario o la contraseña no son correctos.',
  consentTitle: '¿Permitir el acceso?',
  consent: 'Permitir que {client} acceda a tu cuenta para:',
  accessResource: 'Acceder a {resource}:',
  confirmAgain: 'Confirma que quieres ir a {client}.',
  scopeOpenid: 'Saber quién eres',
  scopeProfile: 'Ver tu nombre y tu perfil',
  scopeEmail: 'Ver tu dirección de correo electrónico',
  scopeAddress: 'Ver tu dirección postal',
  scopePhone: 'Ver tu número de teléfono',
  scopeOffline: 'Mantener el acceso mientras no usas la aplicación',
  privacyPolicy: 'Política de privacidad',
  terms: 'Condiciones del servicio',
  documentHost: 'Esta aplicación la publica este sitio web:',
  loopbackWarning:
    'Esta aplicación se ejecuta en tu dispositivo, donde otros programas pueden hacerse pasar por ella. Permite el acceso solo si acabas de iniciarla.',
  destination: 'Elijas lo que elijas, volverás a {site}.',
  allow: 'Permitir',
  refuse: 'No permitir',
  expiredTitle: 'Esta página ha caducado',
  expired: 'Vuelve a la aplicación y empieza de nuevo.',
  badRequest:
    'La aplicación ha enviado una solicitud que no podemos completar. Vuelve a la aplicación e inténtalo de nuevo.',
  tooManyRequests:
    'Ha habido demasiados intentos de inicio de sesión desde tu red. Espera un minuto, vuelve a la aplicación e inténtalo de nuevo.',
  details: 'Si sigue ocurriendo, envía estos datos a los responsables de la aplicación:',
  fault: 'El problema es nuestro. Inténtalo de nuevo en unos instantes.',
};
