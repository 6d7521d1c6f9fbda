import type { PageMessages } from './messages.js';

/** English. */
export const en: PageMessages = {
  demo: 'This is a demo for local testing. Don’t enter a real password.',
  logIn: 'Log in',
  loginFor: 'Log in to continue to {client}.',
  username: 'Username',
  password: 'Password',
  cancel: 'Cancel and go back',
  wrongPassword: 'The username or password is wrong.',
  consentTitle: 'Allow access?',
  consent: 'Access to your account requested by {client}:',
  accessResource: 'Access {resource}:',
  confirmAgain: 'Please confirm that you want to continue to {client}.',
  scopeOpenid: 'Know who you are',
  scopeProfile: 'See your name and profile',
  scopeEmail: 'See your email address',
  scopeAddress: 'See your postal address',
  scopePhone: 'See your phone number',
  scopeOffline: 'Keep access while you’re not using the app',
  privacyPolicy: 'Privacy policy',
  terms: 'Terms of service',
  documentHost: 'This app is published by this website:',
  loopbackWarning:
    'This app runs on your device, where other programs can pretend to be it. Allow access only if you have just started it yourself.',
  destination: 'Whatever you choose, you’ll go back to {site}.',
  allow: 'Allow',
  refuse: 'Don’t allow',
  expiredTitle: 'This page has expired',
  expired: 'Go back to the app and start again.',
  badRequest:
    'The app you came from sent a request that we can’t complete. Go back to the app and try again.',
  tooManyRequests:
    'There have been too many login attempts from your network. Wait a minute, then go back to the app and try again.',
  details: 'If this keeps happening, send these details to the people who run the app:',
  fault: 'The problem is on our side. Please try again in a moment.',
};
